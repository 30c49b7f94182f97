"""The columns of `votes.csv` and `plays.csv` in an export, as export-columns and export-plays list them."""

import json
from functools import cache

from eyelevel_core.contracts.check import FOLDER
from eyelevel_core.tables import Column
from eyelevel_kinds import KINDS


@cache
def export_columns() -> tuple[Column, ...]:
    """In the order in which the file has them: those of the contract, then what kinds of trial have beside these."""
    loaded = json.loads((FOLDER / "export-columns.1.json").read_text())
    columns = {column["name"]: Column(**column) for column in loaded["columns"]}
    for own in (column for kind in KINDS.values() for column in kind.columns):
        columns.setdefault(own.name, Column(own.name, own.type, None, own.description, optional=True))
    return tuple(columns.values())


@cache
def play_columns() -> tuple[Column, ...]:
    """Those of `plays.csv`, in its order; exports from before there was one lack the file."""
    loaded = json.loads((FOLDER / "export-plays.1.json").read_text())
    return tuple(Column(**column) for column in loaded["columns"])
