"""Columns of `votes.csv` and `plays.csv` in an export, from the contracts export-columns and export-plays."""

import json
from collections.abc import Iterator
from functools import cache

from eyelevel_core.contracts.check import FOLDER
from eyelevel_core.contracts.metrics import MARK, in_words, metric_columns
from eyelevel_core.tables import Column
from eyelevel_kinds import KINDS


@cache
def export_columns() -> tuple[Column, ...]:
    """Returns the columns of `votes.csv` in order: those of the contract, then further ones of the kinds of trial."""
    columns = {column.name: column for column in listed("export-columns.1")}
    for answer in (column for kind in KINDS.values() for column in kind.columns):
        columns.setdefault(answer.name, Column(answer.name, answer.type, None, answer.description, optional=True))
    return tuple(columns.values())


@cache
def play_columns() -> tuple[Column, ...]:
    """Returns the columns of `plays.csv` in order; older exports lack the file."""
    return tuple(listed("export-plays.1"))


def listed(name: str) -> Iterator[Column]:
    """Yields the columns that a contract lists, e.g. `export-columns.1`, with metrics in place of their mark."""
    for entry in json.loads((FOLDER / f"{name}.json").read_text())["columns"]:
        if MARK in entry:
            yield from metric_columns(entry[MARK])
        else:
            yield Column(**entry | {"description": in_words(entry["description"])})
