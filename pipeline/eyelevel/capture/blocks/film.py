"""Films one block of a shared campaign, and records each attempt in the store before the next one begins.

An attempt begins only if the previous one is recorded as void, and only one result of each attempt is recorded.
Therefore a block has at most one complete result, no matter how many machines film it.
"""

import shutil
import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum

from eyelevel.capture.attempts.attempt import CaptureContext
from eyelevel.capture.attempts.runner import Attempt, AttemptResult, Runner
from eyelevel.capture.attempts.this_machine import machine_name, this_machine
from eyelevel.capture.blocks.files import upload_file, upload_takes
from eyelevel.capture.blocks.plan import Block
from eyelevel.capture.blocks.records import CampaignStore
from eyelevel.capture.resuming.resume import lines
from eyelevel_core.model.block_result import BlockResult
from eyelevel_core.model.run import Run


class Ending(StrEnum):
    """The ending of a command about a block."""

    FILMED = "filmed"
    DONE_BEFORE = "done before"
    EXHAUSTED = "attempts exhausted"


@dataclass(frozen=True)
class Ended:
    """The ending of a block; `by` is the machine whose result counts, `late` the number of late results."""

    ending: Ending
    by: str | None
    attempts: int
    late: int = 0


@dataclass(frozen=True)
class Films:
    """Context and steps for filming a block. `attempt` makes one attempt at a run; `begin` and `tell` report progress.

    `ready` calibrates the networks and prepares the site; it runs once, before the first attempt.
    """

    context: CaptureContext
    ready: Callable[[CaptureContext], CaptureContext]
    begin: Callable[[Run], None]
    tell: Callable[[AttemptResult], None]
    attempt: Attempt


def film_block(shared: CampaignStore, block: Block, films: Films, *, again: bool) -> Ended:
    """Films the block unless it is complete; this machine makes at most `max_attempts` attempts.

    `again`: allows this machine `max_attempts` more.
    """
    before = shared.results(block.name).get(block.name, [])
    allowed = films.context.campaign.max_attempts + (_own_attempts(before) if again else 0)
    if (ended := _ended(before, allowed)) is not None:
        return ended
    context, late = films.ready(films.context), 0
    while _own_attempts(before) < allowed:
        result = _attempt(
            shared, block, replace(films, context=context), before, last=_own_attempts(before) + 1 == allowed
        )
        if shared.record(result):
            if result.complete:
                return Ended(Ending.FILMED, result.name, result.attempt, late)
        else:
            late += 1
        before = shared.results(block.name).get(block.name, [])
        if (done := _complete(before)) is not None:
            return Ended(Ending.DONE_BEFORE, done.name, len(before), late)
    return Ended(Ending.EXHAUSTED, None, len(before), late)


def ended_before(shared: CampaignStore, block: Block, *, max_attempts: int) -> Ended | None:
    """Returns the block's ending; None if this machine should film it."""
    return _ended(shared.results(block.name).get(block.name, []), max_attempts)


def _ended(before: list[BlockResult], allowed: int) -> Ended | None:
    if (done := _complete(before)) is not None:
        return Ended(Ending.DONE_BEFORE, done.name, len(before))
    return Ended(Ending.EXHAUSTED, None, len(before)) if _own_attempts(before) >= allowed else None


def _attempt(
    shared: CampaignStore, block: Block, films: Films, before: list[BlockResult], *, last: bool
) -> BlockResult:
    """Makes one attempt at all runs of the block, and uploads its files; returns the result to record."""
    batch, number = films.context.batch, len(before) + 1
    shutil.rmtree(batch.root / "takes", ignore_errors=True)
    batch.attempts_file.unlink(missing_ok=True)
    for line in (line for result in before for line in result.attempts):
        batch.add_attempt(line)
    known = len(lines(batch))
    context = replace(films.context, campaign=replace(films.context.campaign, max_attempts=number))

    def tell(result: AttemptResult) -> None:
        films.tell(result if last else replace(result, exhausted=0))

    runner = Runner(context, begin=films.begin, tell=tell, attempt=films.attempt)
    void = runner.take_all([block.runs]) > 0
    calibration = batch.calibration_file
    return BlockResult(
        id=uuid.uuid4().hex,
        block=block.name,
        attempt=number,
        name=machine_name(),
        machine=this_machine(),
        ended_at=datetime.now(UTC).isoformat(timespec="seconds"),
        attempts=tuple(lines(batch)[known:]),
        takes={} if void else upload_takes(shared, batch, block.runs),
        calibration=upload_file(shared, calibration) if calibration.is_file() else None,
    )


def _own_attempts(results: list[BlockResult]) -> int:
    """Counts this machine's attempts. The limit is per machine, so a busy machine does not use up a block."""
    here = this_machine().fingerprint
    return sum(result.machine.fingerprint == here for result in results)


def _complete(results: list[BlockResult]) -> BlockResult | None:
    return next((result for result in results if result.complete), None)
