"""A page load that takes no time: what becomes of it is drawn from its run and attempt alone."""

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from eyelevel.capture.attempts.attempt import CaptureContext
from eyelevel.capture.attempts.runner import Attempt, AttemptResult, Next, Runner
from eyelevel.capture.planning.runs import blocks, expand, not_taken
from eyelevel.capture.resuming.resume import catch_up, taken
from eyelevel.capture.resuming.staging import recover
from eyelevel.loads.inside.request import Cause, VoidError
from eyelevel.loads.site import Site
from eyelevel.loads.worker import CaptureWorker
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.contracts import sha256_of_json
from eyelevel_core.model.campaign import Campaign
from eyelevel_core.model.run import Run
from eyelevel_core.model.take import Take
from tests.core import made

SITES = {"garden": "ab" * 32, "teashop": "cd" * 32}
STACKS = ["TCP", "TCP+", "QUIC"]


def campaign(**changes: Any) -> Campaign:
    sites = [{"name": name, "recording": "no-recording"} for name in SITES]
    given = {"name": "fake", "seed": 7, "runs": 3, "networks": ["DSL", "MSS"], "stacks": STACKS, "sites": sites}
    return made.campaign(**{**given, **changes})


def runs(**changes: Any) -> list[Run]:
    return expand(campaign(**changes), SITES, {"DSL": "01" * 32, "MSS": "02" * 32})


def context(batch: Path, **changes: Any) -> CaptureContext:
    folder = BatchFolder(batch)
    return CaptureContext(
        batch=folder,
        campaign=campaign(**changes),
        sites=tuple(Site(name, Path("no-recording"), digest, None) for name, digest in SITES.items()),
        testbed=Path("no-testbed"),
        worker=CaptureWorker(folder.scratch),
    )


def by_chance(run: Run, number: int) -> bool:
    """One attempt in four, always the same ones."""
    return random.Random(sha256_of_json([run.path, number])).random() < 0.25


def loads(*, void: Callable[[Run, int], bool] = by_chance) -> Attempt:
    """Attempts of which some are void and one run in ten is censored; a take appears in one step, as real ones do."""

    def attempt(context: CaptureContext, run: Run, number: int, place: Path, following: Sequence[Next]) -> Take:
        if void(run, number):
            raise VoidError(Cause.FRAMES_LOST, "3 frames lost")
        take = made.take(
            run,
            attempt=number,
            seed=run.seed,
            recording=run.recording,
            outcome="unsettled" if run.seed % 10 == 0 else "settled",
            provenance={"scheduler": context.campaign.scheduler, "servers_by": "by host"},
            pressure={
                "outside_share": run.number / 100, "steal_share": 0.0, "capture_share": 0.5, "run_share": 0.4,
                "prelaunched_share": 0.0, "waiting_some_share": 0.3 if run.stack == "QUIC" else 0.2,
                "waiting_full_share": None,
            },
            next_began_ms=800.0 if run.number == 1 else 1000.0,
        )  # fmt: skip
        folder = context.scratch / run.path.replace("/", "~")
        folder.mkdir(parents=True)
        (folder / "take.json").write_text(json.dumps(take.as_json()))
        place.parent.mkdir(parents=True, exist_ok=True)
        folder.rename(place)
        return take

    return attempt


def command(batch: Path, attempt: Attempt, *, again: bool = False, **changes: Any) -> tuple[int, list[AttemptResult]]:
    """What the command `eyelevel capture` does about takes; gives how many runs are given up, and what was told."""
    results: list[AttemptResult] = []
    planned, asked, folder = runs(**changes), campaign(**changes), BatchFolder(batch)
    recover(folder)
    takes = taken(folder, planned, asked)
    catch_up(folder, planned, takes)
    runner = Runner(context(batch, **changes), begin=lambda _: None, tell=results.append, again=again, attempt=attempt)
    return runner.take_all(blocks(not_taken(planned, takes), paired=asked.paired)), results
