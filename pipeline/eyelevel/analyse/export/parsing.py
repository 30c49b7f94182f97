"""Parse the rows of `votes.csv` strictly, column by column."""

import csv
import math
import re
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from eyelevel.errors import BadInputError
from eyelevel_core.contracts.columns import export_columns
from eyelevel_core.tables import Column, ColumnType, text_of_cell
from eyelevel_kinds import KINDS, AnswerError

INTEGER = re.compile(r"-?[0-9]{1,18}")
SHA256 = re.compile(r"[0-9a-f]{64}")
ALWAYS = ("vote_id", "session_id", "study_sha256", "trial_kind", "site", "network", "context", "clip_sha256")
# further columns that a row must have, by what its kind of trial shows
SHOWN = {"single": ("stack",), "pair": ("left_stack", "right_stack")}
ALLOWED: dict[str, set[Any]] = {
    "trial_kind": set(KINDS),
    "role": {"training", "main", "repeat", "identical", "control"},
    "origin": {"person", "simulated"},
    "layout": {"row", "column"},
}


def parse_votes(lines: Iterable[str], *, source: str) -> dict[str, list[Any]]:
    """Returns the columns of the contract export-columns by name; empty cells and columns of newer files are None.

    Raises BadInputError, naming line, column and value, if a column is missing or unknown, a cell does not have its
    column's type, a vote lacks a value that its kind needs, a vote appears twice, or rows belong to several studies.
    """
    reader = csv.reader(lines, strict=True)
    try:
        columns = _header(next(reader, []), source)
        values: dict[str, list[Any]] = {column.name: [] for column in export_columns()}
        seen: set[str] = set()
        for cells in reader:
            where = f"{source}, line {reader.line_num}"
            row = _row(cells, columns, where)
            _check_row(row, seen, where)
            for name, cells_of_column in values.items():
                cells_of_column.append(row.get(name))
    except csv.Error as error:
        raise BadInputError(
            f"{source}, line {reader.line_num}: not CSV ({error}); give an unmodified export."
        ) from error
    if len(studies := set(values["study_sha256"])) > 1:
        raise BadInputError(f"{source} contains votes of {len(studies)} studies; analyse one study at a time.")
    return values


def _header(names: list[str], source: str) -> list[Column]:
    known = {column.name: column for column in export_columns()}
    if missing := [name for name, column in known.items() if name not in names and not column.optional]:
        raise BadInputError(
            f"{source}: the column {missing[0]!r} is missing; give an unmodified votes.csv of an export."
        )
    if unknown := [name for name in names if name not in known]:
        raise BadInputError(
            f"{source}: the column {unknown[0]!r} is unknown; give an unmodified votes.csv of an export."
        )
    if len(set(names)) != len(names):
        raise BadInputError(f"{source}: a column appears twice; give an unmodified votes.csv of an export.")
    return [known[name] for name in names]


def _row(cells: list[str], columns: list[Column], where: str) -> dict[str, Any]:
    if len(cells) != len(columns):
        raise BadInputError(f"{where}: {len(cells)} cells, but the header has {len(columns)}; the file is damaged.")
    return {column.name: _value(text, column, where) for text, column in zip(cells, columns, strict=True)}


def _value(text: str, column: Column, where: str) -> Any:
    if text == "":
        return None
    try:
        value = PARSERS[column.type](text)
    except ValueError as error:
        raise BadInputError(f"{where}: {column.name} is {text[:60]!r}, but must be of type {column.type}.") from error
    if value not in ALLOWED.get(column.name, {value}):
        allowed = ", ".join(str(choice) for choice in sorted(ALLOWED[column.name]))
        raise BadInputError(f"{where}: {column.name} is {text[:60]!r}, but must be one of {allowed}.")
    return value


def _check_row(row: dict[str, Any], seen: set[str], where: str) -> None:
    kind = KINDS.get(row["trial_kind"])
    answer_columns = tuple(column.name for column in kind.columns) if kind else ()
    needed = (*ALWAYS, *(SHOWN[kind.clip_kind] if kind else ()), *answer_columns)
    if lacking := [name for name in needed if row.get(name) is None]:
        raise BadInputError(f"{where}: {lacking[0]} is empty; a vote needs it.")
    try:
        _ = kind and kind.validate({name: row[name] for name in answer_columns})
    except AnswerError as error:
        raise BadInputError(f"{where}: {error}") from error
    if row["vote_id"] in seen:
        raise BadInputError(f"{where}: the vote {row['vote_id']} appears twice; remove one of the two rows.")
    seen.add(row["vote_id"])


def _uuid(text: str) -> str:
    return str(UUID(text))


def _sha256(text: str) -> str:
    if not SHA256.fullmatch(text):
        raise ValueError(text)
    return text


def _integer(text: str) -> int:
    if not INTEGER.fullmatch(text):
        raise ValueError(text)
    return int(text)


def _number(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def _datetime(text: str) -> datetime:
    return datetime.fromisoformat(text)


PARSERS: dict[ColumnType, Callable[[str], Any]] = {
    "uuid": _uuid,
    "sha256": _sha256,
    "string": text_of_cell,
    "integer": _integer,
    "number": _number,
    "datetime": _datetime,
}
