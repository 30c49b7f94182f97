"""A table of the report: as CSV, as HTML, and in the dictionary of columns."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element

from eyelevel_core.tables import csv_text
from eyelevel_figures.elements import tag


@dataclass(frozen=True)
class Column:
    """One column of the CSV; the unit is in its name, or the meaning says that it is a fraction. None is unknown."""

    name: str
    meaning: str
    value: Callable[[Any], Any]


@dataclass(frozen=True)
class View:
    """One column on the page; `text` stands to the left, a figure to the right."""

    head: str
    show: Callable[[Any], str]
    text: bool = False


@dataclass(frozen=True)
class Table:
    """Rows of one kind."""

    name: str
    caption: str
    columns: Sequence[Column]
    views: Sequence[View]
    rows: Sequence[Any]
    note: str | None = None

    @property
    def file(self) -> str:
        return f"{self.name}.csv"

    def csv(self) -> str:
        header = [column.name for column in self.columns]
        return csv_text(header, ([column.value(row) for column in self.columns] for row in self.rows))

    def dictionary(self) -> Iterable[tuple[str, str, str]]:
        return ((self.file, column.name, column.meaning) for column in self.columns)


def table_element(
    table: Table, *, rows: Sequence[Any] | None = None, caption: str | None = None, linked: bool = True
) -> Element:
    """The table, or some of its rows, with a caption, column headers, and the first column as row headers.

    The whole table has a link to its CSV, unless the page is not `linked` to files.
    """
    words = caption or table.caption
    head = tag("tr", [tag("th", view.head, scope="col", class_=_class(view)) for view in table.views])
    own = table.rows if rows is None else rows
    body = [tag("tr", [_cell(place, view, row) for place, view in enumerate(table.views)]) for row in own]
    link = None if rows is not None or not linked else tag("a", table.file, href=f"tables/{table.file}")
    whole = tag("table", tag("caption", tag("span", words, " ", link)), tag("thead", head), tag("tbody", body))
    return tag(
        "div",
        tag("div", whole, class_="scroll", tabindex="0", role="region", aria_label=words),
        tag("p", table.note, class_="note") if table.note and rows is None else None,
        class_="table",
    )


def _cell(place: int, view: View, row: Any) -> Element:
    if place == 0:
        return tag("th", view.show(row), scope="row", class_=_class(view))
    return tag("td", view.show(row), class_=_class(view))


def _class(view: View) -> str | None:
    return None if view.text else "figure"
