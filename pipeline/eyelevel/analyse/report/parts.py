"""Elements of the page: sections, figures with an explanation, folded tables."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from eyelevel.analyse.report.downloads import SCRIPT, downloads
from eyelevel.report.style import CSS
from eyelevel.report.table import Filled, Plain, table_element
from eyelevel_figures.canvas import Drawing
from eyelevel_figures.elements import html_text, svg_text, tag
from eyelevel_figures.figure import Body, Figure, FigureTable, Look, make
from eyelevel_figures.words import Words

# a longer table is folded; a page with every row of a huge table would be slow to open
FOLDED_ROWS, MOST_ROWS = 12, 2000
FIGURES, REPORT = "figures", "report.html"
# a figure no wider than this can be read on a phone
NARROW = 460
OWN_CSS = """
.short { font-size: 18px; padding-left: 1.2em; } .short li { margin: 4px 0; }
.how { border-left: 3px solid var(--rule); padding: 2px 0 2px 14px; margin: 14px 0; color: var(--faint); }
.notices { padding-left: 1.2em; }
.shown { margin: 18px 0; } .shown figure { margin: 0; } .shown details { margin: 4px 0; }
.shown summary { font-weight: 400; font-size: 14px; }
.downloads { display: flex; gap: 6px; margin: 2px 0 8px; font-size: 13px; }
.downloads > * { font: inherit; color: var(--link); background: none; border: 1px solid var(--rule); border-radius: 4px;
  padding: 1px 9px; cursor: pointer; text-decoration: none; }
@media print { .downloads { display: none; } }
@media (max-width: 760px) { .wide svg { max-width: none; } }
"""


@dataclass(frozen=True)
class Section:
    """One part of the page with a heading; `key` is its id."""

    key: str
    title: str
    children: Sequence[Element]


def page(title: str, lead: str, sections: Sequence[Section]) -> dict[str, str]:
    """Returns the page as HTML text, and each of its figures as SVG, by file name.

    The same input gives the same bytes.
    """
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
        tag("script", SCRIPT),
    )
    drawings = {f"{FIGURES}/{_name(drawing)}.svg": svg_text(drawing) for drawing in body.iter("svg")}
    return {REPORT: html_text(tag("html", head, body, lang="en")), **drawings}


def _name(drawing: Element) -> str:
    """The name of a figure, which begins the id of its title."""
    return drawing[0].get("id", "").removesuffix("-title")


def _section(section: Section) -> Element:
    heading = tag("h2", section.title, id=f"{section.key}-head")
    return tag("section", heading, section.children, id=section.key, aria_labelledby=f"{section.key}-head")


def drawn(figure: Drawing, table: Plain | Filled) -> Element:
    """Returns a figure and its downloads; a narrow window scrolls a wide figure, so that its text stays legible."""
    line = _downloads(figure, table)
    if figure.width <= NARROW:
        return tag("figure", figure.element(), line)
    inner = tag("div", figure.element(), class_="scroll", tabindex="0", role="region", aria_label=figure.title)
    return tag("figure", inner, line, class_="wide")


def captioned(figure: Drawing, source: str, table: Plain | Filled, notes: Sequence[str] = ()) -> Element:
    """Returns a figure with its title, notes and source, and below it, folded, its description and table."""
    said = behind(" ".join([figure.description, *notes]), table, file=True)
    return tag("div", drawn(titled(figure, source, notes), table), said, class_="shown")


def titled(figure: Drawing, source: str, notes: Sequence[str] = ()) -> Drawing:
    """Returns the figure with its title, notes and source inside, so that a copy of it is complete."""
    body, look = Body(figure.marks, figure.height), Look(Words(), figure.width, source)
    said, none = figure.description, FigureTable([], [])
    whole = make(figure.name, figure.title, body, look, alternative=said, how_to_read="", table=none, notes=notes)
    return whole.drawing


def _downloads(figure: Drawing, table: Plain | Filled) -> Element:
    """The downloads of the figure, and of its table unless that is huge."""
    return downloads(figure.name, figure.title, table.csv() if len(table.rows) <= MOST_ROWS else None)


def behind(description: str, table: Plain | Filled, *, file: bool) -> Element:
    """Returns the description of a figure and its table, folded; `file`: the table is also a file of that name."""
    parts = [tag("p", description), *_cut(table, file=file)]
    return tag("details", tag("summary", "This figure as text and table"), parts)


def explained(figure: Figure) -> list[Element]:
    """Returns a figure of the library with downloads, text, table, and a reading aid."""
    table = Plain(figure.name, figure.title, figure.table)
    both = tag("div", drawn(figure.drawing, table), behind(figure.alternative, table, file=False), class_="shown")
    return [both, how_to_read(figure.how_to_read)]


def panels(figures: Sequence[tuple[Drawing, Plain]], source: str, table: Plain) -> Element:
    """Returns small figures side by side if there is room, with one text and one table for all below."""
    grid = tag(
        "div", [drawn(titled(figure, source), own_table) for figure, own_table in figures], class_="figures small"
    )
    said = " ".join(f"{figure.title}: {figure.description}" for figure, _ in figures)
    return tag("div", grid, behind(said, table, file=False), class_="shown")


def how_to_read(*sentences: str) -> Element:
    return tag("p", tag("strong", "How to read this. "), " ".join(sentences), class_="how")


def shown(table: Filled) -> Element:
    """Returns the table, folded if it is long, and cut with a notice if it is huge."""
    if len(table.rows) > FOLDED_ROWS:
        return folded(table)
    return table_element(table, linked=False, without=_empty(table))


def folded(table: Filled) -> Element:
    """Returns the table folded, and cut with a notice if it is huge."""
    return tag("details", tag("summary", f"{table.caption}: {len(table.rows):,} rows"), *_cut(table, file=True))


def _cut(table: Plain | Filled, *, file: bool) -> list[Element]:
    """The table, or its first rows with a notice if it is huge; `file`: all rows are in a file of its name."""
    without = _empty(table) if isinstance(table, Filled) else ()
    if len(table.rows) <= MOST_ROWS:
        return [table_element(table, caption=table.caption, linked=False, without=without)]
    table_part = table_element(table, rows=table.rows[:MOST_ROWS], caption=table.caption, linked=False, without=without)
    where = f"; all are in {table.file}" if file else ""
    return [table_part, tag("p", f"The first {MOST_ROWS:,} of {len(table.rows):,} rows{where}.", class_="note")]


def _empty(table: Filled) -> list[str]:
    """The columns in which every row is empty."""
    known = [
        any(cell not in (None, "") for cell in cells) for cells in zip(*table.table.cells(table.rows), strict=True)
    ]
    return [column.name for column, has_values in zip(table.table.columns, known, strict=False) if not has_values]


def facts(pairs: Mapping[str, str]) -> Element:
    """Returns a list of names with their values."""
    return tag("dl", [part for name, value in pairs.items() for part in (tag("dt", name), tag("dd", value))],
               class_="facts")  # fmt: skip


def listed(sentences: Iterable[str], class_: str) -> Element:
    return tag("ul", [tag("li", sentence) for sentence in sentences], class_=class_)
