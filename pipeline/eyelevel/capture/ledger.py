"""Resumes a batch folder: existing takes, whether the campaign still matches them, and the attempts that ended."""

import fcntl
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from eyelevel.capture.estimate import Seen
from eyelevel.errors import BadInputError, RefusedError
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.batch_folder.files import write_atomically
from eyelevel_core.contracts import ContractError
from eyelevel_core.model.attempt import OUTCOME_OF_TAKE, Attempt, Outcome
from eyelevel_core.model.campaign import Campaign
from eyelevel_core.model.run import Run
from eyelevel_core.model.take import Take

# what changes a take although take.json does not record it
RULES = ("limit_s", "limits_s", "quiet_ms", "group_by", "priority_updates")


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
            if not _belongs(stored.take, run, campaign):
                raise BadInputError(
                    f"{stored.folder} was captured by another campaign (seed, recording, viewport, frame rate or "
                    "scheduler differ); give another --out."
                )
            found[run.path] = stored.take
    return found


def _belongs(take: Take, run: Run, campaign: Campaign) -> bool:
    return (
        (take.seed, take.recording) == (run.seed, run.recording)
        and take.viewport == campaign.viewport
        and take.film.frame_rate == campaign.frame_rate_of(run.network)
        and take.provenance.scheduler == campaign.scheduler
    )


def check_rules(batch: BatchFolder, campaign: Campaign) -> None:
    """BadInputError where the takes were captured with other options that take.json does not record."""
    path = batch.campaign_file
    if not path.is_file():
        return
    try:
        before = batch.campaign()
    except ContractError as error:
        raise BadInputError(f"{error} Put the file that the takes were captured by in its place.") from error
    for name in RULES:
        if getattr(before, name) != getattr(campaign, name):
            raise BadInputError(
                f"The takes in {batch.root} were captured with {name} = {getattr(before, name)}, and the campaign now "
                f"says {getattr(campaign, name)}; set it back or give another --out."
            )
    pages = {site.name: site.start_url for site in before.sites}
    for site in campaign.sites:
        if pages.get(site.name, site.start_url) != site.start_url:
            raise BadInputError(
                f"The takes of {site.name} in {batch.root} were captured with start_url = {pages[site.name]}, and the "
                f"campaign now says {site.start_url}; set it back or give another --out."
            )


def keep_campaign(batch: BatchFolder, campaign_file: Path) -> None:
    """The batch holds the campaign file it was captured by; that file itself may be given."""
    write_atomically(batch.campaign_file, campaign_file.read_bytes())


def check_browser(takes: Mapping[str, Take], version: str | None) -> None:
    """BadInputError where another Chromium made a take; takes that do not record one are not checked."""
    for path, take in takes.items():
        made_by = take.provenance.tools.get("chromium")
        if version is not None and made_by not in (None, version):
            raise BadInputError(
                f"{path} was captured with Chromium {made_by}, and here is {version}: one campaign has one browser; "
                "give another --out, or install that version."
            )


def check_testbed(takes: Mapping[str, Take], sha256: str) -> None:
    """BadInputError where another build of the testbed made a take; takes that do not record one are not checked."""
    for path, take in takes.items():
        made_by = take.provenance.tools.get("testbed_sha256") or sha256
        if made_by != sha256:
            raise BadInputError(
                f"{path} was captured with another build of the testbed ({made_by[:12]}, now {sha256[:12]}), and runs "
                "to come could differ for that; give another --out, or name that build in EYELEVEL_TESTBED."
            )


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
        Seen(run.network, walls.get(run.path), sum(file.stat().st_size for file in batch.take_folder(run).iterdir()))
        for run in runs
        if batch.has_take(run)
    ]
