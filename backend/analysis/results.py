"""Compute the results of a snapshot from its Parquet files, and from nothing else."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from analysis.columns import EXCLUSIONS_FILE, FILES, LATER_FILES, PLAYS_FILE, VOTES_FILE
from analysis.models import Result, Snapshot
from analysis.parquet import read_columns
from analysis.snapshots import folder_of
from eyelevel_core.contracts import sha256_of_file
from eyelevel_core.contracts.columns import Column, export_columns, play_columns
from eyelevel_stats import METHOD_VERSION, Results
from eyelevel_stats.tables import TABLES, rows_of
from eyelevel_stats.votes import results_of, simulated_sessions


class DamagedSnapshotError(Exception):
    """A file of a snapshot is missing or has other bytes than its manifest says."""


def compute(snapshot: Snapshot) -> Result:
    """The result of this snapshot by the present method, computed once and then found again."""
    if found := Result.objects.filter(snapshot=snapshot, method_version=METHOD_VERSION).first():
        return found
    columns = counted_votes(snapshot)
    own = as_json(results_of(columns)) | {"simulated_sessions": simulated_sessions(columns)}
    result, _ = Result.objects.get_or_create(snapshot=snapshot, method_version=METHOD_VERSION, defaults=own)
    return result


def counted_votes(snapshot: Snapshot) -> dict[str, list[Any]]:
    """The columns of the votes that count: those of excluded sessions are left out.

    A snapshot that was taken before a column was invented has None in it.
    """
    return _counted(snapshot, VOTES_FILE, export_columns())


def counted_plays(snapshot: Snapshot) -> dict[str, list[Any]] | None:
    """The columns of the plays of the sessions that count; None where the snapshot was taken before it had plays."""
    if PLAYS_FILE not in files_of(snapshot):
        return None
    return _counted(snapshot, PLAYS_FILE, play_columns())


def files_of(snapshot: Snapshot) -> list[str]:
    """The names of its files; an older one lacks those that were invented later."""
    held = snapshot.manifest["files"]
    return [name for name in FILES if name in held or name not in LATER_FILES]


def checked_file(snapshot: Snapshot, name: str) -> Path:
    """The path of one of the snapshot's files; raise DamagedSnapshotError where it is not what the manifest names."""
    path = folder_of(snapshot) / name
    if not path.is_file() or sha256_of_file(path) != snapshot.manifest["files"][name]["sha256"]:
        raise DamagedSnapshotError(
            f"{path} is missing or damaged; delete the folder, the next analysis writes it anew."
        )
    return path


def _counted(snapshot: Snapshot, name: str, expected: Sequence[Column]) -> dict[str, list[Any]]:
    found = read_columns(checked_file(snapshot, name))
    unknown = [None] * len(found["session_id"])
    columns = {column.name: found.get(column.name, unknown) for column in expected}
    excluded = set(read_columns(checked_file(snapshot, EXCLUSIONS_FILE))["session_id"])
    if not excluded:
        return columns
    kept = [number for number, session in enumerate(columns["session_id"]) if session not in excluded]
    return {name: [values[number] for number in kept] for name, values in columns.items()}


def as_json(results: Results) -> dict[str, Any]:
    """The rows of each table as docs/contracts/api.md has them."""
    everything = results.identical_all
    return {
        **{name.removesuffix(".csv"): [asdict(row) for row in rows_of(results, name)] for name in TABLES},
        "identical_all": None if everything is None else asdict(everything),
    }
