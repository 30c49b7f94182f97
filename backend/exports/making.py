"""Makes the file of an export: writes the archive to the worker's disk, then moves it into the store."""

from analysis.computing import turns
from analysis.snapshots.files import DamagedSnapshotError
from analysis.snapshots.parts import forget
from exports import files, jobs
from exports.archive import write_archive
from exports.errors import ImpossibleError, NoRoomError
from exports.models import ExportJob, Reason, Step
from eyelevel_core.contracts import sha256_of_file
from lib.leases import Clock, Lease
from lib.room import has_reserve
from stimuli.blobs import scratch_folder

REPLACED = "The results of this export were replaced after an update of the platform; request a new export."
# between two records of progress
STEP_S = 0.5


class Progress:
    """Stores the progress of the archive, at most every `STEP_S`; raises LostLeaseError if the job was withdrawn."""

    def __init__(self, lease: Lease, now: Clock) -> None:
        self._lease, self._now = lease, now
        jobs.begin(lease, Step.TABLES, now())
        self._packing, self._told_at = False, now()

    def advance(self, done: int, of: int) -> None:
        now = self._now()
        if not self._packing:
            self._packing = True
            jobs.begin(self._lease, Step.PACKING, now)
        elif (now - self._told_at).total_seconds() < STEP_S:
            return
        self._told_at = now
        jobs.progress(self._lease, done=done, of=of, now=now)


def make(job: ExportJob, lease: Lease, now: Clock) -> None:
    """Create the file and publish it; raises ImpossibleError, NoRoomError, StoreError, OSError, LostLeaseError."""
    result = jobs.result_of(job)
    if result is None:
        raise ImpossibleError(Reason.REPLACED, REPLACED)
    with scratch_folder() as folder:
        _demand_reserve()
        file = folder / "export.zip"
        try:
            with file.open("wb") as out:
                write_archive(result, out, advance=Progress(lease, now).advance)
        except DamagedSnapshotError as error:
            if error.part is not None:
                forget(error.part)
            turns.ask(job.study_id)
            raise ImpossibleError(Reason.DAMAGED, str(error)) from error
        _demand_reserve()
        sha256, size_bytes = sha256_of_file(file), file.stat().st_size
        with files.stored(file, sha256):
            jobs.finish(lease, job, file_sha256=sha256, size_bytes=size_bytes, now=now())


def _demand_reserve() -> None:
    if not has_reserve():
        raise NoRoomError
