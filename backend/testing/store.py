"""Where the stores of a test lie on the disk."""

import shutil
from pathlib import Path

from django.conf import settings

from analysis.models import Snapshot


def blob_folder() -> Path:
    return Path(settings.BLOB_STORE)


def snapshot_folder() -> Path:
    return Path(settings.STORE) / "snapshots"


def folder_of(snapshot: Snapshot) -> Path:
    return snapshot_folder() / snapshot.sha256


def ledger_folder() -> Path:
    return Path(settings.STORE) / "erasures"


def close_ledger() -> None:
    """Make the ledger one that cannot be written: a file lies in the folder's place."""
    shutil.rmtree(ledger_folder(), ignore_errors=True)
    ledger_folder().parent.mkdir(parents=True, exist_ok=True)
    ledger_folder().write_text("no folder")
