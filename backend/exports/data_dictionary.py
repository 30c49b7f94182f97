"""The data dictionary: every column of every file of an export."""

from dataclasses import fields
from types import UnionType
from typing import get_args, get_type_hints

from analysis.columns import FILES, VERDICTS_FILE
from exports.conformance import CONFORMANCE_FILE, FUNNEL, FUNNEL_FILE
from eyelevel_core.contracts.columns import Column, export_columns, play_columns
from eyelevel_stats.conformance.accounting import COLUMNS as COUNT_COLUMNS
from eyelevel_stats.tables import TABLES, meaning

HEADER = ("file", "column", "type", "unit", "description")
PLAYS_CSV, COUNTS_FILE = "plays.csv", "counts.csv"
COUNT_TYPES = {"outcome": "string", "sessions": "integer", "votes": "integer"}
TYPE_NAMES = {str: "string", int: "integer", float: "number"}


def dictionary() -> list[tuple[str, str, str, str | None, str]]:
    """Rows under HEADER, files in the order in which an export lists them."""
    rows = [_row("votes.csv", column) for column in export_columns()]
    rows += [_row(PLAYS_CSV, column) for column in play_columns()]
    rows += [(COUNTS_FILE, name, COUNT_TYPES[name], None, text) for name, text in COUNT_COLUMNS.items()]
    rows += [row for name, row_type in TABLES.items() for row in _rows_of_table(name, row_type)]
    rows += [_row(CONFORMANCE_FILE, column) for column in FILES[VERDICTS_FILE]]
    rows += [_row(FUNNEL_FILE, column) for column in FUNNEL]
    return rows + [_row(name, column) for name, columns in FILES.items() for column in columns]


def _row(file: str, column: Column) -> tuple[str, str, str, str | None, str]:
    return file, column.name, column.type, column.unit, column.description


def _rows_of_table(name: str, row_type: type) -> list[tuple[str, str, str, str | None, str]]:
    hints = get_type_hints(row_type)
    return [
        (name, field.name, _type_name(hints[field.name]), _unit(field.name), meaning(name, field.name))
        for field in fields(row_type)
    ]


def _type_name(hint: object) -> str:
    options = (
        [option for option in get_args(hint) if option is not type(None)] if isinstance(hint, UnionType) else [hint]
    )
    (plain,) = options
    return TYPE_NAMES[plain]  # type: ignore[index]  # a row that holds anything else fails here, in a test


def _unit(column: str) -> str | None:
    return "ms" if column.endswith("_ms") else None
