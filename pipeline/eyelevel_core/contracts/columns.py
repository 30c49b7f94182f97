"""The columns of `votes.csv` and `plays.csv` in an export, as export-columns and export-plays list them."""

import json
from collections.abc import Iterator
from functools import cache

from eyelevel_core.contracts.check import FOLDER
from eyelevel_core.contracts.metrics import MARK, in_words, metric_columns
from eyelevel_core.tables import Column
from eyelevel_kinds import KINDS


@cache
def export_columns() -> tuple[Column, ...]:
    """In the order in which the file has them: those of the contract, then what kinds of trial have beside these."""
    columns = {column.name: column for column in listed("export-columns.1")}
    for own in (column for kind in KINDS.values() for column in kind.columns):
        columns.setdefault(own.name, Column(own.name, own.type, None, own.description, optional=True))
    return tuple(columns.values())


@cache
def play_columns() -> tuple[Column, ...]:
    """Those of `plays.csv`, in its order; exports from before there was one lack the file."""
    return tuple(listed("export-plays.1"))


def listed(name: str) -> Iterator[Column]:
    """The columns that a contract lists, e.g. `export-columns.1`, and those of the metrics where it has their mark."""
    for entry in json.loads((FOLDER / f"{name}.json").read_text())["columns"]:
        if MARK in entry:
            yield from metric_columns(entry[MARK])
        else:
            yield Column(**entry | {"description": in_words(entry["description"])})
