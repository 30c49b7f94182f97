"""Takes all runs that are not taken yet, block by block, and tells of each attempt."""

import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from eyelevel.capture import staging
from eyelevel.capture.attempt import Workshop, attempt
from eyelevel.capture.campaign import Site
from eyelevel.capture.inside.request import Cause, VoidError
from eyelevel.capture.ledger import OUTCOMES, lines, note
from eyelevel.capture.plan import Run

# (workshop, run, site, number of the attempt, where to put its take) -> its take.json; VoidError with the cause
Attempt = Callable[[Workshop, Run, Site, int, Path], Mapping[str, Any]]
Block = Sequence[Run]


@dataclass(frozen=True)
class Told:
    """What came of an attempt: a take, or a cause and how many runs are given up with it."""

    run: Run
    take: Mapping[str, Any] | None
    void: VoidError | None
    given_up: int = 0


@dataclass(frozen=True)
class Runner:
    """`begin` and `tell` hear of every attempt; `again` gives the runs given up by an earlier command new attempts."""

    shop: Workshop
    begin: Callable[[Run], None]
    tell: Callable[[Told], None]
    again: bool = False
    attempt: Attempt = attempt

    def take_all(self, blocks: Iterable[Block]) -> int:
        """Returns how many runs are given up, after the campaign's `max_attempts` that were all void."""
        shutil.rmtree(self.shop.bench, ignore_errors=True)  # what a killed command left
        tries: dict[str, int] = {}
        for line in lines(self.shop.batch):
            tries[line["run"]] = max(tries.get(line["run"], 0), line["attempt"])
        try:
            return sum(
                len(block) for block in blocks if not self._take(block, max(tries.get(r.path, 0) for r in block))
            )
        finally:
            shutil.rmtree(self.shop.bench, ignore_errors=True)

    def _take(self, block: Block, earlier: int) -> bool:
        last = self.shop.campaign.settings["max_attempts"] + (earlier if self.again else 0)
        for number in range(earlier + 1, last + 1):
            void = self._try(block, number)
            if void is None:
                return True
            culprit, error = void
            self.tell(Told(culprit, None, error, given_up=len(block) if number == last else 0))
        return False

    def _try(self, block: Block, number: int) -> tuple[Run, VoidError] | None:
        """One attempt at each run of the block, until one is void: then none of them counts."""
        batch = self.shop.batch
        done: list[tuple[Run, Mapping[str, Any], float]] = []
        place = {run: batch / run.path if len(block) == 1 else staging.place(batch, run) for run in block}
        for run in block:
            self.begin(run)
            since = monotonic()
            site = next(site for site in self.shop.campaign.sites if site.name == run.site)
            try:
                take = self.attempt(self.shop, run, site, number, place[run])
            except VoidError as void:
                note(batch, run, number, "void", cause=void.cause, detail=void.detail, wall_s=monotonic() - since)
                for mate, _, wall_s in done:
                    words = f"{run.stack}: {void.cause}"
                    note(batch, mate, number, "void", cause=Cause.BLOCK_VOIDED, detail=words, wall_s=wall_s)
                staging.drop(batch, run)
                return run, void
            done.append((run, take, monotonic() - since))
        if len(block) > 1:
            staging.commit(batch, block)
        for run, take, wall_s in done:
            note(batch, run, number, OUTCOMES[take["outcome"]], cause=None, detail=None, wall_s=wall_s)
            self.tell(Told(run, take, None))
        return None
