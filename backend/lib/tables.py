"""Tables of the API; titles and formats are declared with the rows, in `eyelevel_core.tables`."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from ninja import Schema

from eyelevel_core.tables import Column, ColumnType, Format, Language, Table

# a study's labels for values of a column, by the column's name
Given = Mapping[str, Mapping[str, str]]
NO_WORDS: Given = {}
Cells = Sequence[str | bool | int | float | datetime | None]


class TableColumnOut(Schema):
    # as in files
    name: str
    # heading and meaning in the requested language
    title: str
    meaning: str
    type: ColumnType
    unit: str | None
    # how a page formats its values; `hidden` columns are not shown
    format: Format
    # the column with the upper end of an interval that begins with this column; pages show both in one cell
    until: str | None
    # labels that a page shows instead of values; other values are shown unchanged
    words: dict[str, str]


class TableOut(Schema):
    name: str
    title: str
    # a note for readers; may be empty
    note: str
    # the analysis that the table belongs to, by its name in departures
    analysis: str
    columns: list[TableColumnOut]
    # a value per column; null if unknown
    rows: list[list[str | bool | int | float | None]]


def table_out(table: Table, rows: Iterable[Cells], language: Language, *, words: Given = NO_WORDS) -> dict[str, object]:
    return {
        "name": table.name,
        "title": table.titled(language),
        "note": table.noted(language),
        "analysis": table.analysis,
        "columns": [_column(column, language, words.get(column.name, {})) for column in table.columns],
        "rows": [[value.isoformat() if isinstance(value, datetime) else value for value in row] for row in rows],
    }


def rows_out(table: Table, rows: Iterable[Any], language: Language, *, words: Given = NO_WORDS) -> dict[str, object]:
    """Like `table_out`, for rows of the table's row type."""
    return table_out(table, table.cells(rows), language, words=words)


def _column(column: Column, language: Language, words: Mapping[str, str]) -> dict[str, object]:
    return {
        "name": column.name,
        "title": column.title(language),
        "meaning": column.meaning(language),
        "type": column.type,
        "unit": column.unit,
        "format": column.format,
        "until": column.until,
        "words": {**column.worded(language), **words},
    }
