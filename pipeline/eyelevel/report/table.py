"""A table of the report: as CSV, as HTML, and in the dictionary of columns."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element

from eyelevel.report.words import FORMATS, MINUS, text
from eyelevel_core import tables
from eyelevel_core.tables import csv_text
from eyelevel_figures.elements import tag
from eyelevel_figures.figure import Cell, FigureTable

# formats of text, which is left-aligned
WORDS = ("text", "metric")


@dataclass(frozen=True)
class Head:
    """The head of a column on a page; text is left-aligned, numbers are right-aligned."""

    words: str
    text: bool


@dataclass(frozen=True)
class Plain:
    """A table without a row type, such as the data of a figure; its columns state the digits of numbers."""

    name: str
    caption: str
    table: FigureTable
    note: str | None = None

    @property
    def rows(self) -> Sequence[Sequence[Cell]]:
        return self.table.rows

    @property
    def file(self) -> str:
        return f"{self.name}.csv"

    def csv(self) -> str:
        return csv_text([column.name for column in self.table.columns], self.rows)

    def heads(self, without: Collection[str] = ()) -> list[Head]:
        return [
            Head(column.label, column.digits is None) for column in self.table.columns if column.name not in without
        ]

    def lines(self, rows: Iterable[Sequence[Cell]], without: Collection[str] = ()) -> Iterator[list[str]]:
        for row in rows:
            cells = zip(self.table.columns, row, strict=True)
            yield [_digits(value, column.digits) for column, value in cells if column.name not in without]


@dataclass(frozen=True)
class Filled:
    """A table with its rows, and a note below it on a page. Its columns declare how a page shows them."""

    table: tables.Table
    rows: Sequence[Any]
    note: str | None = None

    @property
    def name(self) -> str:
        return self.table.name

    @property
    def file(self) -> str:
        return self.table.file

    @property
    def caption(self) -> str:
        return self.table.title

    def csv(self) -> str:
        return self.table.csv(self.rows)

    def dictionary(self) -> Iterable[tuple[str, str, str]]:
        """Returns file, name and meaning of each column."""
        return ((self.file, column.name, column.description) for column in self.table.columns)

    def heads(self, without: Collection[str] = ()) -> list[Head]:
        """Returns the heads of the columns on a page, except those in `without`."""
        return [Head(column.title("en"), column.format in WORDS) for column in self._shown(without)]

    def lines(self, rows: Iterable[Any], without: Collection[str] = ()) -> Iterator[list[str]]:
        """Yields the cells of each row on a page; an interval is in one cell."""
        shown = self._shown(without)
        names = [column.name for column in self.table.columns]
        for cells in self.table.cells(rows):
            values = dict(zip(names, cells, strict=True))
            yield [_written(column, values) for column in shown]

    def _shown(self, without: Collection[str]) -> list[tables.Column]:
        ends = {column.until for column in self.table.columns}
        left_out = {*ends, *without}
        return [column for column in self.table.columns if column.format != "hidden" and column.name not in left_out]


def _digits(value: Cell, digits: int | None) -> str:
    if digits is None or not isinstance(value, int | float):
        return text(value)
    return f"{value:,.{digits}f}".replace("-", MINUS)


def _written(column: tables.Column, values: Mapping[str, Any]) -> str:
    show, value = FORMATS[column.format], values[column.name]
    if column.until is None:
        return show(value)
    end = values[column.until]
    return "–" if value is None or end is None else f"{show(value)} to {show(end)}"


def dictionary(sheets: Iterable[Filled]) -> str:
    """The meaning of every column of every table, as CSV."""
    return csv_text(["file", "column", "meaning"], (row for table in sheets for row in table.dictionary()))


def table_element(
    table: Plain | Filled,
    *,
    rows: Sequence[Any] | None = None,
    caption: str | None = None,
    linked: bool = True,
    without: Collection[str] = (),
) -> Element:
    """Returns the table, or some of its rows, with a caption, column headers, and the first column as row headers.

    The whole table has a link to its CSV if `linked`. Columns in `without` are only in the file.
    """
    words = caption or table.caption
    heads = table.heads(without)
    head = tag("tr", [tag("th", column.words, scope="col", class_=_class(column)) for column in heads])
    lines = table.lines(table.rows if rows is None else rows, without)
    body = [
        tag("tr", [_cell(place, *cell) for place, cell in enumerate(zip(heads, line, strict=True))]) for line in lines
    ]
    link = None if rows is not None or not linked else tag("a", table.file, href=f"tables/{table.file}")
    whole = tag("table", tag("caption", tag("span", words, " ", link)), tag("thead", head), tag("tbody", body))
    return tag(
        "div",
        tag("div", whole, class_="scroll", tabindex="0", role="region", aria_label=words),
        tag("p", table.note, class_="note") if table.note and rows is None else None,
        class_="table",
    )


def _cell(place: int, head: Head, words: str) -> Element:
    if place == 0:
        return tag("th", words, scope="row", class_=_class(head))
    return tag("td", words, class_=_class(head))


def _class(head: Head) -> str | None:
    return None if head.text else "figure"
