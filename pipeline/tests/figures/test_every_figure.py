"""What holds for every figure: plain SVG, words, both languages, and text that fits at both widths."""

from xml.etree.ElementTree import Element

import pytest

from eyelevel_figures.figure import NARROW, PAD, WIDE, Figure, Look, file_name
from eyelevel_figures.study import study_figures
from eyelevel_figures.text import width_of, wrapped
from eyelevel_figures.words import Words

from .made import EN, SVG, all_of, every, root, tables, texts

NAMES = [
    "effects-rate", "effects-compare", "satisfaction", "mos-dsl", "mos-lte", "score-distributions", "scores",
    "pairs-dsl-quic-tcp+", "pairs-lte-quic-tcp+", "leaderboard", "against-si", "screening-crowd", "groups",
    "multiverse-h1-dsl",
]  # fmt: skip
ELEMENTS = {"svg", "title", "desc", "g", "rect", "line", "path", "circle", "polygon", "text"}
ATTRIBUTES = {
    "id", "role", "aria-label", "aria-labelledby", "tabindex", "data-clip", "data-condition", "data-cut", "data-end",
    "viewBox", "width", "height", "transform", "x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "d", "points", "fill",
    "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "font-family", "font-size",
    "font-weight", "text-anchor",
}  # fmt: skip
LOOKS = [
    Look(Words(language), width, "Study pilot, snapshot 0123456789ab.", clips=True)
    for language in ("en", "de")
    for width in (WIDE, NARROW)
]
DRAWN = [(figure, look) for look in LOOKS for figure in every(look)]
each = pytest.mark.parametrize(
    ("figure", "look"), DRAWN, ids=[f"{figure.name}-{look.words.language}-{look.width:g}" for figure, look in DRAWN]
)


def test_figures_come_in_the_order_in_which_they_are_read() -> None:
    assert [figure.name for figure in every(EN)] == NAMES


def test_without_rows_there_is_no_figure_and_scores_alone_show_nothing_by_stack() -> None:
    assert list(study_figures({}, EN, scores={})) == []
    assert list(study_figures({name: [] for name in tables()}, EN, scores={})) == []
    assert [figure.name for figure in study_figures({}, EN, scores={4: 1, 5: 2})] == ["scores"]


@each
def test_the_svg_has_nothing_that_the_platform_forbids_or_a_reader_would_have_to_load(
    figure: Figure, look: Look
) -> None:
    found = list(root(figure).iter())
    assert {element.tag.removeprefix(SVG) for element in found} <= ELEMENTS
    assert {name for element in found for name in element.attrib} <= ATTRIBUTES


@each
def test_the_svg_says_what_it_shows_and_of_which_study(figure: Figure, look: Look) -> None:
    svg = root(figure)
    title, description = svg.find(f"{SVG}title"), svg.find(f"{SVG}desc")
    assert title is not None
    assert description is not None
    assert svg.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"
    assert (title.text or "").replace("\u00a0", " ") == figure.title
    said = (description.text or "").replace("\u00a0", " ")
    assert said == f"{figure.alternative} {look.source}".replace("\u00a0", " ")
    assert " ".join(texts(figure)).endswith(look.source)


@each
def test_the_figure_is_as_wide_as_asked_and_its_text_lies_inside(figure: Figure, look: Look) -> None:
    svg = root(figure)
    assert float(svg.get("width", 0)) == look.width + 2 * PAD
    outside = [text for text, low, high in _extents(svg, 0.0) if low < -2 or high > look.width * 1.04]
    assert outside == []


@each
def test_the_table_has_a_value_per_column_and_words_for_reading(figure: Figure, look: Look) -> None:
    assert figure.table.rows
    assert {len(row) for row in figure.table.rows} == {len(figure.table.columns)}
    assert len({column.name for column in figure.table.columns}) == len(figure.table.columns)
    assert figure.how_to_read


def test_only_figures_with_marks_of_clips_or_conditions_are_groups_and_only_where_clips_can_be_opened() -> None:
    roles = {figure.name: root(figure).get("role") for figure in every(EN)}
    opening = ("against-", "mos-", "pairs-", "satisfaction")
    assert {name for name, role in roles.items() if role == "group"} == {
        name for name in NAMES if name.startswith(opening)
    }
    plain = every(Look(Words("en"), WIDE))
    assert {root(figure).get("role") for figure in plain} == {"img"}
    assert not any(word in figure.svg for figure in plain for word in ("data-clip", "data-condition", "tabindex"))


def test_names_of_files_keep_stacks_apart() -> None:
    assert file_name("pairs-DSL · TCP – TCP+") == "pairs-dsl-tcp-tcp+"


def test_lines_break_at_words_before_the_width_ends() -> None:
    lines = wrapped("a figure breaks its long sentences by itself", 120)
    assert len(lines) > 1
    assert all(width_of(line) <= 120 for line in lines)
    assert " ".join(lines) == "a figure breaks its long sentences by itself"


def _extents(element: Element, left: float) -> list[tuple[str, float, float]]:
    """Estimated left and right end of each text that is not rotated."""
    transform = element.get("transform", "")
    if "rotate" in transform:
        return []
    if transform.startswith("translate("):
        left += float(transform.removeprefix("translate(").split(",")[0])
    found = []
    if element.tag == f"{SVG}text":
        x = left + float(element.get("x", 0))
        bold = element.get("font-weight") is not None
        width = width_of(element.text or "", float(element.get("font-size", 12)), bold=bold)
        start = x - width * {"start": 0.0, "middle": 0.5, "end": 1.0}[element.get("text-anchor", "start")]
        found.append((element.text or "", start, start + width))
    return found + [extent for child in element for extent in _extents(child, left)]


def test_no_button_has_text_that_its_name_would_have_to_contain() -> None:
    """Success criterion 2.5.3 of WCAG: whoever speaks to a page says what stands there."""
    clickable = [figure for figure, look in DRAWN if look.clips]
    buttons = [
        (figure, button) for figure in clickable for button in all_of(figure, "g") if button.get("role") == "button"
    ]
    assert buttons
    assert [figure.name for figure, button in buttons if any(part.tag.endswith("text") for part in button.iter())] == []
