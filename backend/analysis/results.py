"""Computes the results of a snapshot from its Parquet files alone."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from analysis.columns import EXCLUSIONS_FILE, PLAYS_FILE, VOTES_FILE
from analysis.models import Result, Snapshot
from analysis.parquet import read_columns
from analysis.snapshots import folder_of
from eyelevel_core.contracts import sha256_of_file
from eyelevel_core.study.frozen import read_frozen
from eyelevel_stats import METHOD_VERSION, Results
from eyelevel_stats.tables import TABLES, rows_of
from eyelevel_stats.votes import results_of, simulated_sessions


class DamagedSnapshotError(Exception):
    """A file of a snapshot is missing, or its digest differs from the manifest."""


def compute(snapshot: Snapshot) -> Result:
    """The result of this snapshot by the current method version; computed once and stored."""
    if found := Result.objects.filter(snapshot=snapshot, method_version=METHOD_VERSION).first():
        return found
    columns = counted_votes(snapshot)
    plan = read_frozen(snapshot.study.frozen_text).design.plan
    own = as_json(results_of(columns, plan)) | {
        "votes": len(columns["vote_id"]),
        "sessions": len(set(columns["session_id"])),
        "simulated_sessions": simulated_sessions(columns),
    }
    result, _ = Result.objects.get_or_create(snapshot=snapshot, method_version=METHOD_VERSION, defaults=own)
    return result


def counted_votes(snapshot: Snapshot) -> dict[str, list[Any]]:
    """The columns of the votes, without those of excluded sessions."""
    return _counted(snapshot, VOTES_FILE)


def counted_plays(snapshot: Snapshot) -> dict[str, list[Any]]:
    """The columns of the plays, without those of excluded sessions."""
    return _counted(snapshot, PLAYS_FILE)


def checked_file(snapshot: Snapshot, name: str) -> Path:
    """The path of a file of the snapshot; raises DamagedSnapshotError if its digest differs from the manifest."""
    path = folder_of(snapshot) / name
    if not path.is_file() or sha256_of_file(path) != snapshot.manifest["files"][name]["sha256"]:
        raise DamagedSnapshotError(
            f"{path} is missing or damaged; delete its folder, and the next analysis writes it again."
        )
    return path


def _counted(snapshot: Snapshot, name: str) -> dict[str, list[Any]]:
    columns = read_columns(checked_file(snapshot, name))
    excluded = set(read_columns(checked_file(snapshot, EXCLUSIONS_FILE))["session_id"])
    if not excluded:
        return columns
    kept = [number for number, session in enumerate(columns["session_id"]) if session not in excluded]
    return {name: [values[number] for number in kept] for name, values in columns.items()}


def as_json(results: Results) -> dict[str, Any]:
    """The rows of each table as docs/contracts/api.md has them."""
    everything = results.identical_all
    return {
        "tables": {name.removesuffix(".csv"): [asdict(row) for row in rows_of(results, name)] for name in TABLES},
        "identical_all": None if everything is None else asdict(everything),
    }
