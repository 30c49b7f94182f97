"""The data dictionary: every column of every file of an export."""

from dataclasses import fields
from types import UnionType
from typing import get_args, get_type_hints

from analysis.columns import FILES, VERDICTS_FILE
from exports.clips import CLIPS_CSV, clip_columns
from exports.conformance import CONFORMANCE_FILE, FUNNEL, FUNNEL_FILE
from exports.sessions import SESSIONS_CSV, session_columns
from eyelevel_core.contracts.columns import export_columns, play_columns
from eyelevel_core.study.design import Design
from eyelevel_core.tables import Column, group_of, names_of
from eyelevel_stats.conformance.accounting import COLUMNS as COUNT_COLUMNS
from eyelevel_stats.demographics import COLUMNS as DEMOGRAPHIC
from eyelevel_stats.departures import COLUMNS as DEPARTURE
from eyelevel_stats.tables import TABLES, meaning

HEADER = ("file", "column", "type", "unit", "description")
PLAYS_CSV, COUNTS_FILE = "plays.csv", "counts.csv"
DEMOGRAPHICS_FILE, DEPARTURES_FILE = "demographics.csv", "departures.csv"
OF_ITSELF = (
    ("file", "string", None, "file of the export"),
    ("column", "string", None, "column of that file"),
    ("type", "string", None, "uuid, sha256, string, integer, number or datetime"),
    ("unit", "string", None, "unit of the values; empty where they have none"),
    ("description", "string", None, "meaning of the values"),
)
# of columns that are no words
OTHER_TYPES = {"at": "datetime", "sessions": "integer", "votes": "integer", "share": "number"}
TYPE_NAMES = {str: "string", int: "integer", float: "number"}


# under HEADER
Described = tuple[str, str, str, str | None, str]


def dictionary(design: Design) -> list[Described]:
    """Rows under HEADER, files in the order in which an export lists them; of a study with this design."""
    rows = [described("votes.csv", column) for column in export_columns()]
    rows += [described(PLAYS_CSV, column) for column in play_columns()]
    rows += [described(SESSIONS_CSV, column) for column in session_columns(design)]
    rows += [described(CLIPS_CSV, column) for column in clip_columns()]
    for file, columns in (
        (COUNTS_FILE, COUNT_COLUMNS),
        (DEPARTURES_FILE, DEPARTURE),
        (DEMOGRAPHICS_FILE, DEMOGRAPHIC),
    ):
        rows += [(file, name, OTHER_TYPES.get(name, "string"), None, text) for name, text in columns.items()]
    rows += [row for name, row_type in TABLES.items() for row in _rows_of_table(name, row_type)]
    rows += [described(CONFORMANCE_FILE, column) for column in FILES[VERDICTS_FILE]]
    rows += [described(FUNNEL_FILE, column) for column in FUNNEL]
    rows += [("data-dictionary.csv", *one) for one in OF_ITSELF]
    return rows + [described(name, column) for name, columns in FILES.items() for column in columns]


def described(file: str, column: Column) -> Described:
    """The row about a column; files write yes and no, True and False as words."""
    return file, column.name, "string" if column.type == "boolean" else column.type, column.unit, column.description


def _rows_of_table(name: str, row_type: type) -> list[tuple[str, str, str, str | None, str]]:
    hints = get_type_hints(row_type)
    types = {column.name: column.type for field in fields(row_type) for column in group_of(field)}
    return [
        (name, column, types.get(column) or _type_name(hints[column]), _unit(column), meaning(name, column))
        for column in names_of(row_type)
    ]


def _type_name(hint: object) -> str:
    options = (
        [option for option in get_args(hint) if option is not type(None)] if isinstance(hint, UnionType) else [hint]
    )
    (plain,) = options
    return TYPE_NAMES[plain]  # type: ignore[index]  # a row that holds anything else fails here, in a test


def _unit(column: str) -> str | None:
    return "ms" if column.endswith("_ms") else None
