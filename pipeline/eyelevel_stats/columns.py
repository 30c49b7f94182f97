"""Columns of the votes of an export or a snapshot: the rows of some sessions, or of one origin."""

from collections.abc import Container, Mapping, Sequence
from typing import Any, Literal

Columns = Mapping[str, Sequence[Any]]
# whose sessions: those of people, those of `eyelevel simulate`, or both
Whose = Literal["person", "simulated", "all"]


def of_sessions(columns: Columns, sessions: Container[str]) -> dict[str, list[Any]]:
    """The rows of these sessions."""
    kept = [number for number, session in enumerate(columns["session_id"]) if session in sessions]
    return {name: [values[number] for number in kept] for name, values in columns.items()}


def of_origin(columns: Columns, whose: Whose) -> dict[str, list[Any]]:
    """The rows of the sessions of this origin; a row without an origin is a person's."""
    origins = column(columns, "origin")
    kept = [number for number, origin in enumerate(origins) if whose in ("all", origin or "person")]
    return {name: [values[number] for number in kept] for name, values in columns.items()}


def simulated_sessions(columns: Columns) -> int:
    """How many of the sessions were programs (`eyelevel simulate`) and no people."""
    pairs = zip(columns["session_id"], column(columns, "origin"), strict=True)
    return len({session for session, origin in pairs if origin == "simulated"})


def column(columns: Columns, name: str) -> Sequence[Any]:
    """The values of a column; all unknown where an older file lacks it."""
    return columns[name] if name in columns else [None] * len(columns["session_id"])
