"""Tables as the API sends them: what a page prints is declared beside the rows, in `eyelevel_core.tables`."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from ninja import Schema

from eyelevel_core.tables import Column, ColumnType, Format, Language, Table

# words of a study for values of a column, by the column's name
Given = Mapping[str, Mapping[str, str]]
NO_WORDS: Given = {}
Cells = Sequence[str | bool | int | float | datetime | None]


class TableColumnOut(Schema):
    # as in files
    name: str
    # heading and meaning in the language that was asked for
    title: str
    meaning: str
    type: ColumnType
    unit: str | None
    # how a page writes its values; `hidden`: it does not
    format: Format
    # the column with the upper end of the interval whose lower end this one is; pages show both in one cell
    until: str | None
    # what a page shows for a value, by the value; others are shown as they are
    words: dict[str, str]


class TableOut(Schema):
    name: str
    title: str
    # what to know when reading it; empty: nothing
    note: str
    # the analysis that it belongs to, as departures name it
    analysis: str
    columns: list[TableColumnOut]
    # a value per column; null where unknown
    rows: list[list[str | bool | int | float | None]]


def table_out(table: Table, rows: Iterable[Cells], language: Language, *, words: Given = NO_WORDS) -> dict[str, object]:
    return {
        "name": table.name,
        "title": table.titled(language),
        "note": table.noted(language),
        "analysis": table.analysis,
        "columns": [_column(one, language, words.get(one.name, {})) for one in table.columns],
        "rows": [[value.isoformat() if isinstance(value, datetime) else value for value in row] for row in rows],
    }


def rows_out(table: Table, rows: Iterable[Any], language: Language, *, words: Given = NO_WORDS) -> dict[str, object]:
    """The same of rows of the table's type."""
    return table_out(table, table.cells(rows), language, words=words)


def _column(one: Column, language: Language, words: Mapping[str, str]) -> dict[str, object]:
    return {
        "name": one.name,
        "title": one.title(language),
        "meaning": one.meaning(language),
        "type": one.type,
        "unit": one.unit,
        "format": one.format,
        "until": one.until,
        "words": {**one.worded(language), **words},
    }
