"""Parts of the page: sections, figures with an explanation, folded tables."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from eyelevel.report.style import CSS
from eyelevel.report.table import Table, table_element
from eyelevel_figures.canvas import Drawing
from eyelevel_figures.elements import html_text, tag
from eyelevel_figures.figure import Figure

# a longer table is folded away; a page with every row of a huge one would be slow to open
FOLDED_ROWS, MOST_ROWS = 12, 2000
# a figure no wider than this can be read on a phone
NARROW = 460
OWN_CSS = """
.short { font-size: 18px; padding-left: 1.2em; } .short li { margin: 4px 0; }
.how { border-left: 3px solid var(--rule); padding: 2px 0 2px 14px; margin: 14px 0; color: var(--faint); }
.notices { padding-left: 1.2em; }
@media (max-width: 760px) { .wide svg { max-width: none; } }
"""


@dataclass(frozen=True)
class Section:
    """One part of the page with a heading; `key` is its id."""

    key: str
    title: str
    children: Sequence[Element]


def page(title: str, lead: str, sections: Sequence[Section]) -> str:
    """The page as HTML text; the same input gives the same bytes."""
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", title),
        tag("style", CSS + OWN_CSS),
    )
    links = [tag("li", tag("a", section.title, href=f"#{section.key}")) for section in sections]
    body = tag(
        "body",
        tag("a", f"To: {sections[0].title}", href=f"#{sections[0].key}", class_="skip"),
        tag("header", tag("h1", title), tag("p", lead, class_="lead")),
        tag("nav", tag("ul", links), aria_label="Sections"),
        tag("main", (_section(section) for section in sections)),
        tag("footer", tag("p", "Made by eyelevel analyse. The same input gives the same bytes.")),
    )
    return html_text(tag("html", head, body, lang="en"))


def _section(section: Section) -> Element:
    heading = tag("h2", section.title, id=f"{section.key}-head")
    return tag("section", heading, section.children, id=section.key, aria_labelledby=f"{section.key}-head")


def drawn(figure: Drawing) -> Element:
    """One figure; a narrow window scrolls a wide one sideways, as its words would be too small to read."""
    if figure.width <= NARROW:
        return tag("figure", figure.element())
    inner = tag("div", figure.element(), class_="scroll", tabindex="0", role="region", aria_label=figure.title)
    return tag("figure", inner, class_="wide")


def explained(figure: Figure) -> list[Element]:
    """A figure of a study with how to read it."""
    return [drawn(figure.drawing), how_to_read(figure.how_to_read)]


def panels(figures: Iterable[Drawing]) -> Element:
    """Small figures side by side where there is room."""
    return tag("div", [drawn(figure) for figure in figures], class_="figures small")


def how_to_read(*sentences: str) -> Element:
    return tag("p", tag("strong", "How to read this. "), " ".join(sentences), class_="how")


def shown(table: Table) -> Element:
    """The table, folded where it is long, and cut with a notice where it is huge."""
    return folded(table) if len(table.rows) > FOLDED_ROWS else table_element(table, linked=False)


def folded(table: Table) -> Element:
    """The table folded away, and cut with a notice where it is huge."""
    cut = len(table.rows) > MOST_ROWS
    rows = table.rows[:MOST_ROWS] if cut else None
    found = table_element(table, rows=rows, caption=table.caption, linked=False)
    note = tag("p", f"The first {MOST_ROWS:,} rows; all are in {table.file}.", class_="note") if cut else None
    return tag("details", tag("summary", f"{table.caption}: {len(table.rows):,} rows"), found, note)


def facts(pairs: Mapping[str, str]) -> Element:
    """Names with their values."""
    return tag("dl", [part for name, value in pairs.items() for part in (tag("dt", name), tag("dd", value))],
               class_="facts")  # fmt: skip


def listed(sentences: Iterable[str], class_: str) -> Element:
    return tag("ul", [tag("li", one) for one in sentences], class_=class_)
