"""Ledger of erasures: a file outside the database, from which they are repeated after a database restore.

One JSON object per line, append-only: `{"id", "erased_at", "participant", "by"}` for a participant,
`{"id", "erased_at", "study"}` for the recruiter's ids of a study, and this with `"deleted": true` for a deleted study.
It contains random ids, digests of studies and times only.
"""

import fcntl
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID


class LedgerError(Exception):
    """The ledger cannot be read or written; the message says what to do."""


@dataclass(frozen=True)
class Entry:
    """One erasure: of a participant, of the recruiter's ids that a study had at that time, or of the whole study."""

    id: UUID
    erased_at: datetime
    participant: UUID | None = None
    by: str | None = None
    study: str | None = None
    deleted: bool = False

    def line(self) -> bytes:
        told: dict[str, object] = {"id": str(self.id), "erased_at": self.erased_at.isoformat()}
        if self.participant is not None:
            told |= {"participant": str(self.participant), "by": self.by or ""}
        if self.study is not None:
            told |= {"study": self.study} | ({"deleted": True} if self.deleted else {})
        return json.dumps(told).encode() + b"\n"


def append(path: Path, entries: Iterable[Entry]) -> None:
    """Add lines, and return once they are on the disk; raises LedgerError."""
    text = b"".join(entry.line() for entry in entries)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            _drop_broken_line(handle)
            os.write(handle, text)
            os.fsync(handle)
        finally:
            os.close(handle)
        _keep_name(path.parent)
    except OSError as error:
        message = f"The ledger of erasures {path} cannot be written ({error.strerror})"
        raise LedgerError(f"{message}; check the folder's permissions and free space.") from None


def read(path: Path) -> list[Entry]:
    """All entries, oldest first; none where there is no file yet. Raises LedgerError, which names the line."""
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise LedgerError(
            f"The ledger of erasures {path} cannot be read ({error.strerror}); check its permissions."
        ) from None
    # what a crash cut off was never erased: the line is written first
    whole = text[: text.rfind(b"\n") + 1].splitlines()
    return [_entry(line, f"{path}, line {number}") for number, line in enumerate(whole, start=1) if line.strip()]


def _entry(line: bytes, where: str) -> Entry:
    try:
        told: dict[str, Any] = json.loads(line)
        participant, study = told.get("participant"), told.get("study")
        return Entry(
            id=UUID(told["id"]),
            erased_at=datetime.fromisoformat(told["erased_at"]),
            # what names no study names a participant
            participant=None if study is not None else UUID(participant),
            by=told.get("by"),
            study=study,
            deleted=told.get("deleted") is True,
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise LedgerError(f"{where}: this is not a ledger entry ({error}); restore the file from a copy.") from None


def _drop_broken_line(handle: int) -> None:
    """Cut off what a crash left of a line."""
    end = os.fstat(handle).st_size
    if end and os.pread(handle, 1, end - 1) != b"\n":
        os.ftruncate(handle, os.pread(handle, end, 0).rfind(b"\n") + 1)


def _keep_name(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
