"""State of a batch folder: existing takes, and the record of ended attempts."""

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
    """Locks the batch folder for this process; the kernel releases the lock when the process ends."""
    batch.root.mkdir(parents=True, exist_ok=True)
    with batch.lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RefusedError(
                f"Another capture is using {batch.root}; wait until it ends, or give another --out."
            ) from None
        yield


def taken(batch: BatchFolder, runs: Iterable[Run], campaign: Campaign) -> dict[str, Take]:
    """Returns the takes by path of the run; raises BadInputError if another campaign captured one of them."""
    takes: dict[str, Take] = {}
    for run in runs:
        stored = batch.take(run)
        if stored is not None:
            if not belongs(stored.take, run, campaign):
                raise BadInputError(
                    f"{stored.folder} was captured by another campaign (seed, recording, viewport, device "
                    "profile or scheduler differ); give another --out."
                )
            takes[run.path] = stored.take
    return takes


def keep_campaign(batch: BatchFolder, campaign_file: Path) -> None:
    """Copies the campaign file into the batch folder; it may already be the file in this folder."""
    write_atomically(batch.campaign_file, campaign_file.read_bytes())


def lines(batch: BatchFolder) -> list[Attempt]:
    """Returns all ended attempts, in order."""
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
    """Records an ended attempt; `cause` and `detail` are those of a void attempt."""
    rounded = None if wall_s is None else round(wall_s, 2)
    ended_at = datetime.now(UTC).isoformat(timespec="seconds")
    batch.add_attempt(Attempt(run.path, number, outcome, cause, detail, rounded, ended_at))


def catch_up(batch: BatchFolder, runs: Iterable[Run], takes: Mapping[str, Take]) -> None:
    """Records the attempts of takes whose command ended after storing the take but before recording the attempt."""
    recorded = {attempt.run for attempt in lines(batch) if not attempt.void}
    for run in runs:
        if run.path in takes and run.path not in recorded:
            take = takes[run.path]
            note(batch, run, take.attempt, OUTCOME_OF_TAKE[take.outcome], wall_s=None)


def costs(batch: BatchFolder, runs: Iterable[Run]) -> list[Seen]:
    """Returns the cost of each take; the wall time is None if the record of its attempt is lost."""
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
