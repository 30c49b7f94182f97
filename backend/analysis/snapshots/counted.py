"""Reads from the files of a snapshot what counts: votes and plays without those of excluded sessions."""

import json
from collections.abc import Container
from pathlib import Path
from typing import Any

from analysis.models import ResultOrigin, Snapshot
from analysis.origins import whose_of
from analysis.snapshots.columns import EXCLUSIONS_FILE, PLAYS_FILE, SESSIONS_FILE, VOTES_FILE
from analysis.snapshots.parquet import read_columns
from analysis.snapshots.store import folder_of
from eyelevel_core.contracts import sha256_of_file
from eyelevel_core.study.design import Design
from eyelevel_stats.columns import of_origin, of_sessions
from eyelevel_stats.demographics import DemographicRow, demographics


class DamagedSnapshotError(Exception):
    """A file of a snapshot is missing, or its digest differs from the manifest."""


def counted_votes(snapshot: Snapshot, origin: ResultOrigin = ResultOrigin.PERSON) -> dict[str, list[Any]]:
    """The columns of the votes of this origin, without those of excluded sessions."""
    return of_origin(_counted(snapshot, VOTES_FILE), whose_of(origin))


def counted_plays(snapshot: Snapshot, origin: ResultOrigin = ResultOrigin.PERSON) -> dict[str, list[Any]]:
    """The columns of the plays of this origin, without those of excluded sessions."""
    return of_origin(_counted(snapshot, PLAYS_FILE), whose_of(origin))


def demographics_of(snapshot: Snapshot, design: Design, used: Container[str]) -> tuple[DemographicRow, ...]:
    """The answers about the person in these sessions of the snapshot."""
    columns = read_columns(checked_file(snapshot, SESSIONS_FILE), names=("session_id", "group", "answers"))
    rows = zip(*(columns[name] for name in ("session_id", "group", "answers")), strict=True)
    return demographics(
        design.questions, ((group, json.loads(answers or "{}")) for session, group, answers in rows if session in used)
    )


def checked_file(snapshot: Snapshot, name: str) -> Path:
    """The path of a file of the snapshot; raises DamagedSnapshotError if its digest differs from the manifest."""
    path = folder_of(snapshot) / name
    if not path.is_file() or sha256_of_file(path) != snapshot.manifest["files"][name]["sha256"]:
        raise DamagedSnapshotError(
            f"{path} is missing or damaged; delete its folder, and the next analysis writes it again."
        )
    return path


def _counted(snapshot: Snapshot, name: str) -> dict[str, list[Any]]:
    return _not_excluded(snapshot, read_columns(checked_file(snapshot, name)))


def _not_excluded(snapshot: Snapshot, columns: dict[str, list[Any]]) -> dict[str, list[Any]]:
    excluded = set(read_columns(checked_file(snapshot, EXCLUSIONS_FILE))["session_id"])
    return of_sessions(columns, set(columns["session_id"]) - excluded) if excluded else columns
