"""Locations of a test's stores on the disk."""

import shutil
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from django.conf import settings

from analysis.models import Snapshot
from analysis.snapshots.files import checked_files


def blob_folder() -> Path:
    return Path(settings.BLOB_STORE)


def snapshot_folder() -> Path:
    return Path(settings.STORE) / "snapshots"


def folder_of(snapshot: Snapshot) -> Path:
    return snapshot_folder() / snapshot.sha256


def part_files(snapshot: Snapshot, kind: str) -> list[Path]:
    """The files of a snapshot's parts, by day."""
    with checked_files(snapshot, kind) as paths:
        return paths


def rows_of(snapshot: Snapshot, kind: str) -> list[dict[str, Any]]:
    """The rows of all parts of this kind."""
    return [row for path in part_files(snapshot, kind) for row in pq.read_table(path).to_pylist()]


def ledger_folder() -> Path:
    return Path(settings.STORE) / "erasures"


def close_ledger() -> None:
    """Make the ledger unwritable: a file takes the place of its folder."""
    shutil.rmtree(ledger_folder(), ignore_errors=True)
    ledger_folder().parent.mkdir(parents=True, exist_ok=True)
    ledger_folder().write_text("no folder")
