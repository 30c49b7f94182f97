"""Selection of rows from the vote columns of an export or a snapshot, by session or origin."""

from collections.abc import Container, Mapping, Sequence
from typing import Any, Literal

Columns = Mapping[str, Sequence[Any]]
# origin of sessions: people, `eyelevel simulate`, or both
Whose = Literal["person", "simulated", "all"]


def of_sessions(columns: Columns, sessions: Container[str]) -> dict[str, list[Any]]:
    """Returns the rows of these sessions."""
    numbers = [number for number, session in enumerate(columns["session_id"]) if session in sessions]
    return {name: [values[number] for number in numbers] for name, values in columns.items()}


def of_origin(columns: Columns, wanted: Whose) -> dict[str, list[Any]]:
    """Returns the rows of the sessions of this origin; a row without an origin is a person's."""
    origins = column(columns, "origin")
    numbers = [number for number, origin in enumerate(origins) if wanted in ("all", origin or "person")]
    return {name: [values[number] for number in numbers] for name, values in columns.items()}


def simulated_sessions(columns: Columns) -> int:
    """Counts the sessions that were simulated (`eyelevel simulate`)."""
    pairs = zip(columns["session_id"], column(columns, "origin"), strict=True)
    return len({session for session, origin in pairs if origin == "simulated"})


def column(columns: Columns, name: str) -> Sequence[Any]:
    """Returns the values of a column; all None where an older file lacks it."""
    return columns[name] if name in columns else [None] * len(columns["session_id"])
