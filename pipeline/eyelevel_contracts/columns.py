"""The columns of an export's `votes.csv`, as the contract `export-columns.1.json` lists them."""

import json
from dataclasses import dataclass
from functools import cache
from typing import Literal

from eyelevel_contracts.check import FOLDER

ColumnType = Literal["uuid", "sha256", "string", "integer", "number", "datetime"]


@dataclass(frozen=True)
class Column:
    """One column: what a cell holds, in which unit, and what it means."""

    name: str
    type: ColumnType
    unit: str | None
    description: str


@cache
def export_columns() -> tuple[Column, ...]:
    """In the order in which the file has them."""
    loaded = json.loads((FOLDER / "export-columns.1.json").read_text())
    return tuple(Column(**column) for column in loaded["columns"])
