"""A page load that takes no time: what becomes of it is drawn from its run and attempt alone."""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from eyelevel.capture.attempt import BENCH, Workshop
from eyelevel.capture.campaign import Campaign, Site, defaults
from eyelevel.capture.inside.request import Cause, VoidError
from eyelevel.capture.ledger import catch_up, taken
from eyelevel.capture.plan import Run, blocks, expand, frame_rate, not_taken
from eyelevel.capture.runner import Attempt, Next, Runner, Told
from eyelevel.capture.staging import recover
from eyelevel.capture.studio import Studio
from eyelevel_core.contracts import sha256_of_json

SITES = {"garden": "ab" * 32, "teashop": "cd" * 32}
STACKS = ["TCP", "TCP+", "QUIC"]


def settings(**changes: Any) -> dict[str, Any]:
    return {
        **defaults(), "name": "fake", "seed": 7, "runs": 3, "networks": ["DSL", "MSS"], "stacks": STACKS,
        "sites": [{"name": name} for name in SITES], **changes,
    }  # fmt: skip


def runs(**changes: Any) -> list[Run]:
    return expand(settings(**changes), SITES, {"DSL": "01" * 32, "MSS": "02" * 32})


def shop(batch: Path, **changes: Any) -> Workshop:
    value = settings(**changes)
    sites = tuple(Site(name, Path("no-recording"), digest, None) for name, digest in SITES.items())
    campaign = Campaign(Path("campaign.toml"), value, value, sites)
    return Workshop(
        batch=batch,
        campaign=campaign,
        testbed=Path("no-testbed"),
        studio=Studio(batch / BENCH),
    )


def by_chance(run: Run, number: int) -> bool:
    """One attempt in four, always the same ones."""
    return random.Random(sha256_of_json([run.path, number])).random() < 0.25


def loads(*, void: Callable[[Run, int], bool] = by_chance) -> Attempt:
    """Attempts of which some are void and one run in ten is censored; a take appears in one step, as real ones do."""

    def attempt(shop: Workshop, run: Run, number: int, place: Path, following: Sequence[Next]) -> Mapping[str, Any]:
        if void(run, number):
            raise VoidError(Cause.FRAMES_LOST, "3 frames lost")
        take = {
            "site": run.site, "stack": run.stack, "attempt": number, "seed": run.seed, "recording": run.recording,
            "outcome": "unsettled" if run.seed % 10 == 0 else "settled",
            "viewport": shop.campaign.settings["viewport"],
            "film": {"frame_rate": frame_rate(shop.campaign.settings, run.network)},
            "provenance": {"scheduler": shop.campaign.settings["scheduler"]},
            "metrics": {"lvc_ms": 900.0}, "next_began_ms": 800.0 if run.number == 1 else 1000.0,
            "fidelity": {"exact": 9, "inexact": 1, "missed": 0, "before_load_digest": "0" * 64},
        }  # fmt: skip
        folder = shop.bench / run.path.replace("/", "~")
        folder.mkdir(parents=True)
        (folder / "take.json").write_text(json.dumps(take))
        place.parent.mkdir(parents=True, exist_ok=True)
        folder.rename(place)
        return take

    return attempt


def command(batch: Path, attempt: Attempt, *, again: bool = False, **changes: Any) -> tuple[int, list[Told]]:
    """What the command `eyelevel capture` does about takes; gives how many runs are given up, and what was told."""
    told: list[Told] = []
    planned, value = runs(**changes), settings(**changes)
    recover(batch)
    takes = taken(batch, planned, value)
    catch_up(batch, planned, takes)
    runner = Runner(shop(batch, **changes), begin=lambda _: None, tell=told.append, again=again, attempt=attempt)
    return runner.take_all(blocks(not_taken(planned, takes), paired=value["paired"])), told
