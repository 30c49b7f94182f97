"""Restores a backup: loads it beside the current data, verifies it, and only then replaces the current data.

Until the last step the running platform does not change, except for files that are added to the store under their
digests. The previous database is kept as the restore point.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from analysis.snapshots import files
from backups import postgres
from backups.archive import BLOBS, DUMP, HEADER, LEDGER, SNAPSHOTS, Entry, Readable, Reader
from backups.errors import BackupError, BadInputError, Finding, NoRoomError, ProofError
from backups.header import Header
from backups.progress import Progress
from backups.runs import note_source
from backups.upgrade import data_version
from eyelevel_core.contracts import sha256_of_file
from eyelevel_store import Store, open_store
from lib import stores
from lib.counted import counted
from lib.data_version import DATA_VERSION
from privacy import erasure_ledger
from privacy.restore import replay
from ratings.models import Vote
from stimuli import blobs
from studies.models import Study

SPARE_BYTES = 256 << 20
BACKEND = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Report:
    """Outcome of a restore or a drill; `votes_later` is the number of replaced votes that the backup does not have."""

    header: Header
    findings: list[Finding]
    votes_later: int


def restore(source: Readable, *, drill: bool, replace: bool, tell: Callable[[str], None]) -> Report:
    """Restore from a decrypted stream; with `drill` only verify that it can be. Raises BackupError, ProofError.

    Set `replace` to restore over existing studies or votes.
    """
    reader = Reader(source)
    header = reader.header
    _check_version(header)
    if not (drill or replace):
        _refuse_to_replace()
    with blobs.scratch_folder() as folder, postgres.alone():
        _check_room(folder, header)
        staged = Staged(folder, drill=drill)
        try:
            complete = staged.take(reader, tell)
            with _loaded(staged, tell) as scratch:
                findings = _proved(header, scratch, staged, tell, first=complete)
                if drill:
                    return Report(header, findings, votes_later=0)
                later = Vote.with_tombstones.filter(received_at__gt=header.moment).count()
                _put_in_place(scratch, staged, tell)
        except BaseException:
            staged.forget()
            raise
    # the restored database was copied before its backup was complete, so it has no record of it
    note_source(header.moment, votes=header.votes)
    return Report(header, findings, votes_later=later)


def undo(tell: Callable[[str], None]) -> None:
    """Restore the restore point; the current data become the new restore point."""
    live = postgres.live_database()
    before, aside = live + postgres.BEFORE, live + postgres.SCRATCH
    if before not in postgres.databases():
        raise BackupError("There is no restore point: nothing was restored or upgraded here, or it was deleted.")
    postgres.drop_database(aside)
    postgres.put_in_place(before, live=live, before=aside)
    postgres.rename(aside, before)
    tell("The data from before the last restore or upgrade are restored; the replaced data are now the restore point.")
    if data_version() == DATA_VERSION:
        # participants who were erased since then
        tell(str(replay()))
        tell(f"Restored: {_holdings(*_numbers())}.")
    else:
        tell("They have an older version: start the Eyelevel that made them, or this one to upgrade them again.")


class Staged:
    """Files of a backup that are extracted before it is verified."""

    def __init__(self, folder: Path, *, drill: bool) -> None:
        self.header, self.dump, self.store = folder / HEADER, folder / DUMP, folder / "store"
        self._snapshots, self._ledger = self.store / "snapshots", self.store / "erasures"
        self._snapshots.mkdir(parents=True)
        self._ledger.mkdir()
        self.ledger = open_store(self._ledger)
        self._drill = drill
        self._added: list[str] = []

    def take(self, reader: Reader, tell: Callable[[str], None]) -> Finding:
        """Read the whole backup; raises BackupError if an entry is missing or does not match its name."""
        header = reader.header
        progress = Progress(header.files_bytes, tell, doing="Checking" if self._drill else "Restoring files")
        for entry in reader.entries():
            if entry.name == DUMP:
                _write(entry, self.dump)
            elif entry.name == LEDGER:
                _write(entry, self._ledger / LEDGER)
            elif entry.name.startswith(SNAPSHOTS):
                self._take_snapshot(entry, progress)
            elif entry.name.startswith(BLOBS):
                self._take_blob(entry, progress)
        progress.end()
        seen = {name.removeprefix(BLOBS): facts.sha256 for name, facts in reader.seen.items() if name.startswith(BLOBS)}
        for blob in header.blobs:
            if seen.get(blob.sha256) != blob.sha256:
                raise BadInputError(f"The file {blob.sha256} of a batch is missing or damaged in the backup.")
        if not self._drill:
            self._check_store(header)
        same = counted(len(header.blobs), "file of batches matches its digest", "files of batches match their digests")
        return Finding(True, f"{same}.")

    def publish(self) -> None:
        """Add snapshots and erasures to those of the platform."""
        for path in self._snapshots.glob("*/*"):
            files.put_file(path.parent.name, path.name, path)
        _add_entries(stores.erasures(), of=self.ledger)

    def forget(self) -> None:
        """Remove files that were added to the store."""
        for sha256 in self._added:
            blobs.drop(sha256)

    def _take_snapshot(self, entry: Entry, progress: Progress) -> None:
        digest, _, name = entry.name.removeprefix(SNAPSHOTS).partition("/")
        if not (digest.isalnum() and name and Path(name).name == name):
            raise BadInputError(f"The backup has an unexpected entry {entry.name}; use another copy of it.")
        folder = self._snapshots / digest
        folder.mkdir(exist_ok=True, mode=0o755)
        _write(entry, folder / name)
        progress.add(entry.size)

    def _take_blob(self, entry: Entry, progress: Progress) -> None:
        sha256 = entry.name.removeprefix(BLOBS)
        if self._drill or blobs.is_stored(sha256):
            entry.drain()
        else:
            with blobs.incoming(entry, length_bytes=entry.size) as (file, digest):
                if digest != sha256:
                    raise BadInputError(f"The backup's file {sha256} is damaged: its digest is {digest}.")
                blobs.keep(file, sha256)
                self._added.append(sha256)
        progress.add(entry.size)

    def _check_store(self, header: Header) -> None:
        """Verify that the store has every file of the backup; files that it had before are read."""
        added = set(self._added)
        for blob in header.blobs:
            if blob.sha256 in added:
                continue
            with blobs.on_disk(blob.sha256) as path:
                if sha256_of_file(path) != blob.sha256:
                    raise BackupError(
                        f"The file {blob.sha256} in this platform's store is damaged; delete it and restore again."
                    )


def _write(entry: Entry, path: Path) -> None:
    with path.open("wb") as file:
        while data := entry.read():
            file.write(data)


@contextmanager
def _loaded(staged: Staged, tell: Callable[[str], None]) -> Iterator[str]:
    """Load the dump into a scratch database, which is dropped in the end, unless it replaced the platform's."""
    scratch = postgres.live_database() + postgres.SCRATCH
    tell("Loading the database")
    postgres.create_database(scratch)
    try:
        postgres.load(staged.dump, scratch)
        yield scratch
    finally:
        postgres.drop_database(scratch)


def _proved(
    header: Header, scratch: str, staged: Staged, tell: Callable[[str], None], *, first: Finding
) -> list[Finding]:
    """Run the checks after the `first` in a separate process, whose settings name scratch database and staged files."""
    tell("Comparing the restored data with the backup")
    # participants who were erased here after the backup must stay erased
    _add_entries(staged.ledger, of=stores.erasures())
    staged.header.write_bytes(header.as_bytes())
    command = [sys.executable, "manage.py", "prove_backup", str(staged.header)]
    findings: list[Finding] = []

    def found(finding: Finding) -> None:
        findings.append(finding)
        tell(f"{'✓' if finding.holds else '✗'} {finding.text}")

    found(first)
    environment = _environment(scratch, staged)
    with subprocess.Popen(command, cwd=BACKEND, env=environment, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout or ():
            found(Finding(**json.loads(line)))
    if process.returncode != 0:
        message = f"The comparison ended with status {process.returncode}; see its messages above."
        findings.append(Finding(False, message))
    if not all(finding.holds for finding in findings):
        raise ProofError(findings)
    return findings


def _add_entries(ledger: Store, *, of: Store) -> None:
    known = set(erasure_ledger.read(ledger))
    erasure_ledger.append((entry for entry in erasure_ledger.read(of) if entry not in known), ledger)


def _environment(scratch: str, staged: Staged) -> dict[str, str]:
    return {
        **{name: value for name, value in postgres.environment().items() if name != "EYELEVEL_DATABASE_URL"},
        "PGDATABASE": scratch,
        "EYELEVEL_STORE": str(staged.store),
        "EYELEVEL_BLOB_STORE": settings.BLOB_STORE,
        "EYELEVEL_SCRATCH_DIR": str(settings.SCRATCH_DIR),
    }


def _put_in_place(scratch: str, staged: Staged, tell: Callable[[str], None]) -> None:
    tell("Putting the restored data in place")
    # files first, so that every file that the database names exists from the start
    staged.publish()
    live = postgres.live_database()
    before = live + postgres.BEFORE
    postgres.drop_database(before)
    postgres.put_in_place(scratch, live=live, before=before)


def _check_version(header: Header) -> None:
    if header.data_version > DATA_VERSION:
        raise BackupError(
            f"The backup was made by a newer Eyelevel (data version {header.data_version}, but this one has "
            f"{DATA_VERSION}); upgrade first."
        )


def _refuse_to_replace() -> None:
    studies, votes = _numbers()
    if studies or votes:
        raise BackupError(
            f"This platform already has {_holdings(studies, votes)}. To replace them, and keep them as a restore "
            "point, add --replace."
        )


def _numbers() -> tuple[int, int]:
    """The numbers of studies and votes of this platform."""
    return Study.objects.count(), Vote.with_tombstones.count()


def _holdings(studies: int, votes: int) -> str:
    return f"{counted(studies, 'study', 'studies')} with {counted(votes, 'vote')}"


def _check_room(root: Path, header: Header) -> None:
    free, needed = shutil.disk_usage(root).free, header.files_bytes + SPARE_BYTES
    if free < needed:
        raise NoRoomError(
            f"The disk of {root} has {free / 1e6:.0f} MB free, but the restore may need {needed / 1e6:.0f} MB; free "
            "some space."
        )
