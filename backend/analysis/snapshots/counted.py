"""Reads from the files of a snapshot what counts: votes and plays without those of excluded sessions."""

import json
from collections.abc import Container
from typing import Any

from analysis.models import ResultOrigin, Snapshot
from analysis.origins import whose_of
from analysis.snapshots.columns import EXCLUSIONS_FILE, PLAYS_FILE, SESSIONS_FILE, VOTES_FILE
from analysis.snapshots.files import checked_columns
from eyelevel_core.study.design import Design
from eyelevel_stats.columns import of_origin, of_sessions
from eyelevel_stats.demographics import DemographicRow, demographics


def counted_votes(snapshot: Snapshot, origin: ResultOrigin = ResultOrigin.PERSON) -> dict[str, list[Any]]:
    """The columns of the votes of this origin, without those of excluded sessions."""
    return of_origin(_counted(snapshot, VOTES_FILE), whose_of(origin))


def counted_plays(snapshot: Snapshot, origin: ResultOrigin = ResultOrigin.PERSON) -> dict[str, list[Any]]:
    """The columns of the plays of this origin, without those of excluded sessions."""
    return of_origin(_counted(snapshot, PLAYS_FILE), whose_of(origin))


def demographics_of(snapshot: Snapshot, design: Design, used: Container[str]) -> tuple[DemographicRow, ...]:
    """The answers about the person in these sessions of the snapshot."""
    columns = checked_columns(snapshot, SESSIONS_FILE, names=("session_id", "group", "answers"))
    rows = zip(*(columns[name] for name in ("session_id", "group", "answers")), strict=True)
    return demographics(
        design.questions, ((group, json.loads(answers or "{}")) for session, group, answers in rows if session in used)
    )


def _counted(snapshot: Snapshot, name: str) -> dict[str, list[Any]]:
    return _not_excluded(snapshot, checked_columns(snapshot, name))


def _not_excluded(snapshot: Snapshot, columns: dict[str, list[Any]]) -> dict[str, list[Any]]:
    excluded = set(checked_columns(snapshot, EXCLUSIONS_FILE)["session_id"])
    return of_sessions(columns, set(columns["session_id"]) - excluded) if excluded else columns
