"""Captures all runs without a take, block by block, and reports each attempt."""

import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from time import monotonic

from eyelevel.capture.attempts.attempt import PRELAUNCHED, CaptureContext, attempt
from eyelevel.capture.resuming import staging
from eyelevel.capture.resuming.resume import lines, note
from eyelevel.loads.inside.request import VoidError
from eyelevel_core.model.attempt import BLOCK_VOIDED, OUTCOME_OF_TAKE, Outcome
from eyelevel_core.model.run import Run
from eyelevel_core.model.take import Take

# a run, and the number of its attempt
Next = tuple[Run, int]
# (context, run, number of the attempt, place of its take, runs that follow) -> take; raises VoidError with the cause
Attempt = Callable[[CaptureContext, Run, int, Path, Sequence[Next]], Take]
Block = Sequence[Run]


@dataclass(frozen=True)
class AttemptResult:
    """The result of an attempt: a take, or a cause and the number of runs whose attempts are exhausted with it."""

    run: Run
    take: Take | None
    void: VoidError | None
    exhausted: int = 0


@dataclass(frozen=True)
class Runner:
    """`begin` and `tell` are called for every attempt. `again` retries runs that used up their attempts before."""

    context: CaptureContext
    begin: Callable[[Run], None]
    tell: Callable[[AttemptResult], None]
    again: bool = False
    attempt: Attempt = attempt

    def take_all(self, blocks: Iterable[Block]) -> int:
        """Captures the blocks; returns the number of runs whose `max_attempts` attempts were all void."""
        shutil.rmtree(self.context.scratch, ignore_errors=True)  # the rest of a killed command
        tries: dict[str, int] = {}
        for line in lines(self.context.batch):
            tries[line.run] = max(tries.get(line.run, 0), line.attempt)
        todo = [(block, max(tries.get(run.path, 0) for run in block)) for block in blocks]
        coming = [(run, earlier + 1) for block, earlier in todo for run in block]
        ends = accumulate(len(block) for block, _ in todo)
        try:
            return sum(
                len(block)
                for (block, earlier), end in zip(todo, ends, strict=True)
                if not self._take(block, earlier, coming[end : end + PRELAUNCHED])
            )
        finally:
            self.context.worker.close()  # nothing uses the folder any more
            shutil.rmtree(self.context.scratch, ignore_errors=True)

    def _take(self, block: Block, earlier: int, following: Sequence[Next]) -> bool:
        last = self.context.campaign.max_attempts + (earlier if self.again else 0)
        for number in range(earlier + 1, last + 1):
            void = self._try(block, number, following)
            if void is None:
                return True
            culprit, error = void
            self.tell(AttemptResult(culprit, None, error, exhausted=len(block) if number == last else 0))
        return False

    def _try(self, block: Block, number: int, following: Sequence[Next]) -> tuple[Run, VoidError] | None:
        """One attempt at each run of the block, until one is void; then none of them counts."""
        batch = self.context.batch
        done: list[tuple[Run, Take, float]] = []
        place = {run: batch.take_folder(run) if len(block) == 1 else staging.place(batch, run) for run in block}
        after = [*((run, number) for run in block[1:]), *following]
        for i, run in enumerate(block):
            self.begin(run)
            since = monotonic()
            try:
                take = self.attempt(self.context, run, number, place[run], after[i:])
            except VoidError as void:
                note(batch, run, number, Outcome.VOID, cause=void.cause, detail=void.detail, wall_s=monotonic() - since)
                for mate, _, wall_s in done:
                    words = f"{run.stack}: {void.cause}"
                    note(batch, mate, number, Outcome.VOID, cause=BLOCK_VOIDED, detail=words, wall_s=wall_s)
                staging.drop(batch, run)
                return run, void
            done.append((run, take, monotonic() - since))
        if len(block) > 1:
            staging.commit(batch, block)
        for run, take, wall_s in done:
            note(batch, run, number, OUTCOME_OF_TAKE[take.outcome], wall_s=wall_s)
            self.tell(AttemptResult(run, take, None))
        return None
