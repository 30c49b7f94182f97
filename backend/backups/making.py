"""Makes a consistent backup of the running platform, while votes arrive."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import IO

from analysis.snapshots import files
from analysis.snapshots.store import files_held
from backups import postgres
from backups.archive import BLOBS, DUMP, HEADER, LEDGER, SNAPSHOTS, Writer
from backups.errors import BackupError, NoRoomError
from backups.header import FileFacts, Header, blob_facts, read_header, snapshot_facts
from backups.progress import Progress
from privacy import erasure_ledger
from stimuli import blobs

# space that a dump may need beyond the size of the database, although it contains no indexes
SPARE_BYTES = 64 << 20


def expected_bytes() -> int:
    """An upper estimate of the size of a backup: its files, and the size of the database."""
    files = [*blob_facts(), *(file for by_name in snapshot_facts().values() for file in by_name.values())]
    return sum(file.bytes for file in files) + postgres.size_bytes(postgres.live_database()) + SPARE_BYTES


def make_backup(out: IO[bytes], *, tell: Callable[[str], None]) -> Header:
    """Write a backup into `out`; `tell` receives lines of progress. Raises BackupError.

    No file of a batch is deleted while it runs, and no snapshot before it is copied. Votes, sessions, uploads and
    erasures continue. The backup contains no data from after the header was read, except for the ledger of erasures,
    which is copied last.
    """
    with blobs.scratch_folder() as scratch, blobs.files_held(), Writer(out) as writer:
        dumped = scratch / DUMP
        _check_room(scratch, postgres.size_bytes(postgres.live_database()))
        with files_held():
            tell("Reading the database")
            with postgres.exported_snapshot() as snapshot:
                header = read_header(erasures=len(erasure_ledger.read()))
                postgres.dump(dumped, snapshot=snapshot)
            progress = Progress(header.files_bytes + dumped.stat().st_size, tell)
            writer.add_bytes(HEADER, header.as_bytes())
            _add(writer, DUMP, dumped, progress)
            for digest, listed in header.snapshots.items():
                for name, facts in listed.items():
                    _add_snapshot(writer, digest, name, facts, progress)
        for blob in header.blobs:
            _add_blob(writer, blob, progress)
        writer.add_bytes(LEDGER, _ledger())
        writer.close()
        progress.end()
    return header


def _add(writer: Writer, name: str, path: Path, progress: Progress) -> None:
    with path.open("rb") as file:
        writer.add(name, progress.counting(file), size=path.stat().st_size)


def _add_snapshot(writer: Writer, digest: str, name: str, facts: FileFacts, progress: Progress) -> None:
    try:
        with files.open_file(digest, name) as file:
            writer.add(f"{SNAPSHOTS}{digest}/{name}", progress.counting(file), size=facts.bytes)
    except FileNotFoundError:
        # erased since; the ledger, which is copied last, has the erasure
        progress.add(facts.bytes)


def _add_blob(writer: Writer, blob: FileFacts, progress: Progress) -> None:
    try:
        with blobs.open_blob(blob.sha256) as file:
            written = writer.add(f"{BLOBS}{blob.sha256}", progress.counting(file), size=blob.bytes)
    except FileNotFoundError:
        raise BackupError(
            f"The file {blob.sha256} of a batch is missing in the store; restore it, or push its batch again."
        ) from None
    if written.sha256 != blob.sha256:
        raise BackupError(
            f"The file {blob.sha256} of a batch is damaged in the store: its digest is {written.sha256}. Restore it "
            "from another backup, or delete it and push its batch again."
        )


def _ledger() -> bytes:
    return b"".join(entry.line() for entry in erasure_ledger.read())


def _check_room(folder: Path, needed: int) -> None:
    free = shutil.disk_usage(folder).free
    if free < needed + SPARE_BYTES:
        raise NoRoomError(
            f"The disk of {folder} has {free / 1e6:.0f} MB free, but a dump of the database may need "
            f"{(needed + SPARE_BYTES) / 1e6:.0f} MB; free some space."
        )
