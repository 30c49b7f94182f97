"""Resumes a batch folder: takes that exist, and the record of attempts that have ended."""

import fcntl
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from eyelevel.capture.planning.estimate import Seen
from eyelevel.capture.resuming.same_conditions import belongs
from eyelevel.errors import BadInputError, RefusedError
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.batch_folder.files import write_atomically
from eyelevel_core.model.attempt import OUTCOME_OF_TAKE, Attempt, Outcome
from eyelevel_core.model.campaign import Campaign
from eyelevel_core.model.run import Run
from eyelevel_core.model.take import Take


@contextmanager
def claimed(batch: BatchFolder) -> Iterator[None]:
    """Hold the batch folder for this process; the kernel lets go of it however the process ends."""
    batch.root.mkdir(parents=True, exist_ok=True)
    with batch.lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RefusedError(
                f"Another capture is at work in {batch.root}; wait for it or give another --out."
            ) from None
        yield


def taken(batch: BatchFolder, runs: Iterable[Run], campaign: Campaign) -> dict[str, Take]:
    """The take of every run that has one, by the run's path. BadInputError if another campaign captured one."""
    found: dict[str, Take] = {}
    for run in runs:
        stored = batch.take(run)
        if stored is not None:
            if not belongs(stored.take, run, campaign):
                raise BadInputError(
                    f"{stored.folder} was captured by another campaign (seed, recording, viewport, device "
                    "profile or scheduler differ); give another --out."
                )
            found[run.path] = stored.take
    return found


def keep_campaign(batch: BatchFolder, campaign_file: Path) -> None:
    """The batch holds the campaign file it was captured by; that file itself may be given."""
    write_atomically(batch.campaign_file, campaign_file.read_bytes())


def lines(batch: BatchFolder) -> list[Attempt]:
    """All attempts that have ended, in order."""
    return batch.attempts() or []


def note(
    batch: BatchFolder,
    run: Run,
    number: int,
    outcome: Outcome,
    *,
    cause: str | None = None,
    detail: str | None = None,
    wall_s: float | None,
) -> None:
    """Record an attempt that has ended; `cause` and `detail` are those of a void one."""
    rounded = None if wall_s is None else round(wall_s, 2)
    ended_at = datetime.now(UTC).isoformat(timespec="seconds")
    batch.add_attempt(Attempt(run.path, number, outcome, cause, detail, rounded, ended_at))


def catch_up(batch: BatchFolder, runs: Iterable[Run], takes: Mapping[str, Take]) -> None:
    """Record the attempts of takes whose command died after storing the take and before recording the attempt."""
    recorded = {attempt.run for attempt in lines(batch) if not attempt.void}
    for run in runs:
        if run.path in takes and run.path not in recorded:
            take = takes[run.path]
            note(batch, run, take.attempt, OUTCOME_OF_TAKE[take.outcome], wall_s=None)


def costs(batch: BatchFolder, runs: Iterable[Run]) -> list[Seen]:
    """What each take here cost; the wall time is None where its attempt's line is lost."""
    walls = {attempt.run: attempt.wall_s for attempt in lines(batch) if not attempt.void}
    return [
        Seen(
            run.network,
            run.cache,
            walls.get(run.path),
            sum(file.stat().st_size for file in batch.take_folder(run).iterdir()),
        )
        for run in runs
        if batch.has_take(run)
    ]
