"""A figure: SVG with title, notes and source, its text alternative, and the table behind it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from re import sub
from typing import Any
from xml.etree.ElementTree import Element

from eyelevel_core.tables import columns_of
from eyelevel_figures.canvas import Drawing
from eyelevel_figures.elements import svg_text, tag
from eyelevel_figures.palette import FAINT, WARNING
from eyelevel_figures.text import paragraph, wrapped
from eyelevel_figures.words import Words

# in px: as wide as the text of a page, and as a phone of 390 px has room for. Text is never scaled: a second layout
# is legible on a phone where a shrunk one is not, and needs no scrolling where a scrolled one hides half of itself
PAD = 6.0
WIDE, NARROW = 720.0 - 2 * PAD, 340.0 - 2 * PAD
TITLE, SMALL = 14.0, 11.0
Cell = str | int | float | None


@dataclass(frozen=True)
class Look:
    """The appearance of the figures of one page.

    `width` in px, without the space around it; `source` names study and snapshot; with `clips`, marks of clips can be
    opened by click and Enter.
    """

    words: Words
    width: float = WIDE
    source: str = ""
    clips: bool = False

    @property
    def narrow(self) -> bool:
        return self.width < 560


@dataclass(frozen=True)
class FigureColumn:
    """A column of the table behind a figure: its name in files, its heading, and digits of its numbers.

    Text and counts have no digits.
    """

    name: str
    label: str
    digits: int | None


@dataclass(frozen=True)
class FigureTable:
    """The values behind a figure in full precision; None is unknown."""

    columns: Sequence[FigureColumn]
    rows: Sequence[Sequence[Cell]]


@dataclass(frozen=True)
class Body:
    """The marks of a figure below its title, from y = 0 down to `height`."""

    marks: Sequence[Element]
    height: float


@dataclass(frozen=True)
class Figure:
    """A figure. `name` is part of file names and ids; `alternative` is the text alternative of the drawing."""

    name: str
    title: str
    alternative: str
    how_to_read: str
    table: FigureTable
    drawing: Drawing = field(repr=False)

    @property
    def svg(self) -> str:
        """Returns standalone SVG, without style sheet, script or reference."""
        return svg_text(self.drawing.element())


def make(
    name: str,
    title: str,
    body: Body,
    look: Look,
    *,
    alternative: str,
    how_to_read: str,
    table: FigureTable,
    notes: Iterable[str] = (),
    opens: bool = False,
) -> Figure:
    """Builds a figure with its title and notes above, and its source below; `notes` warn of misleading properties."""
    key = file_name(name)
    notes = list(notes)
    marks, y = paragraph(wrapped(title, look.width, TITLE, bold=True), 0, TITLE, size=TITLE, bold=True)
    for note in notes:
        lines, y = paragraph(wrapped(note, look.width), 0, y + 4, colour=WARNING)
        marks += lines
    top = y + 2
    marks.append(tag("g", body.marks, transform=f"translate(0,{top:.2f})"))
    y = top + body.height
    if look.source:
        lines, y = paragraph(wrapped(look.source, look.width, SMALL), 0, y + SMALL + 4, size=SMALL, colour=FAINT)
        marks += lines
    description = " ".join([alternative, *notes, *([look.source] if look.source else [])])
    drawing = Drawing(key, title, description, look.width, round(y), marks, opens=opens and look.clips, pad=PAD)
    return Figure(key, title, " ".join([alternative, *notes]), how_to_read, table, drawing)


def file_name(words: str) -> str:
    """Replaces characters that file systems reject; a plus sign stays, as it distinguishes names of stacks."""
    return sub(r"[^\w+.]+", "-", words.lower()).strip("-")


def declared(
    row: type[Any], names: Sequence[str], look: Look, digits: Mapping[str, int], **titled: str
) -> list[FigureColumn]:
    """Returns columns with the titles in `titled`, or those of the row type; an interval's ends are two columns."""
    words = look.words
    titles: dict[str, str] = {}
    for column in columns_of(row):
        title = column.title(words.language)
        titles.setdefault(column.name, title)
        if column.until is not None:
            titles |= {column.name: words("column.from", head=title), column.until: words("column.to", head=title)}
    titles |= titled
    return [FigureColumn(name, titles[name], digits.get(name)) for name in names]


def rows_of(rows: Iterable[Any], names: Sequence[str]) -> list[list[Cell]]:
    """Returns the fields of each row."""
    return [[getattr(row, name) for name in names] for row in rows]
