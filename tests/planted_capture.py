"""`eyelevel capture` whose loads are planted: no root, no browser, no network, and as long as PLANTED_S says.

    PLANTED_S=0.2 python tests/planted_capture.py CAMPAIGN.toml --store STORE --block 3

All else is the real command: options, store, attempts, results. What becomes of an attempt is drawn from its run and
number alone; PLANTED_VOID is the share that is void. While a run is filmed, PLANTED_MARKS has a file with the machine's
name.
"""

import json
import os
import random
import sys
import time
import tomllib
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from eyelevel.capture import command
from eyelevel.capture.attempts.attempt import CaptureContext
from eyelevel.capture.attempts.runner import Next
from eyelevel.capture.attempts.this_machine import machine_name, this_machine
from eyelevel.capture.planning.campaign_file import CampaignFile
from eyelevel.capture.planning.plan import Plan
from eyelevel.capture.planning.runs import expand
from eyelevel.capture.resuming.resume import taken
from eyelevel.cli import main
from eyelevel.loads.inside.request import Cause, VoidError
from eyelevel.loads.site import Site
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.contracts import check, sha256_of_bytes, sha256_of_file, sha256_of_json
from eyelevel_core.model.campaign import Campaign
from eyelevel_core.model.run import Run
from eyelevel_core.model.take import Take

HAR = b'{"log": {"planted": true}}\n'


def campaign_text(
    *, sites: int, runs: int, stacks: Sequence[str] = ("TCP+", "QUIC"), seed: int = 7, sentinel: str | None = None
) -> str:
    """A campaign file; it has sites x runs blocks."""
    lines = ['contract = "eyelevel/campaign/1"', 'name = "planted"', f"seed = {seed}", f"runs = {runs}"]
    lines += ["paired = true", 'networks = ["DSL"]', f"stacks = {json.dumps(list(stacks))}"]
    for number in range(sites):
        lines += ["[[sites]]", f'name = "site-{number}"', f'recording = "site-{number}.warc.gz"']
    if sentinel is not None:
        lines += ["[sentinel]", f'site = "{sentinel}"', "runs = 3"]
    return "\n".join(lines) + "\n"


def plan(campaign_file: Path, recordings: Path | None) -> Plan:
    campaign = Campaign.of(tomllib.loads(campaign_file.read_text()), source=str(campaign_file))
    digests = {site.name: sha256_of_bytes(site.name.encode()) for site in campaign.sites}
    sites = tuple(Site(name, Path("no-recording"), digest, None) for name, digest in digests.items())
    return Plan(
        source=CampaignFile(campaign_file, campaign, sites),
        # it stands for the testbed's program, whose digest machines compare
        testbed=Path(os.environ.get("PLANTED_TESTBED", __file__)),
        stacks={},
        networks={},
        runs=expand(campaign, digests, dict.fromkeys(campaign.networks, "01" * 32)),
        skipped={},
    )


def calibrated(context: CaptureContext) -> CaptureContext:
    path = context.batch.calibration_file
    if not path.is_file():
        path.write_text(json.dumps({"by": this_machine().fingerprint, "at": time.time()}))
    return replace(context, calibration=sha256_of_file(path))


def prepared(context: CaptureContext, _takes: object, runs: Sequence[Run], *, made: bool) -> tuple[CaptureContext, Any]:
    if made:
        context.batch.checks.mkdir(parents=True, exist_ok=True)
        value = {"site": runs[0].site, "by": this_machine().fingerprint, "chance": random.random()}
        context.batch.check_file(runs[0].site).write_text(json.dumps(value))
    return context, ()


def attempt(context: CaptureContext, run: Run, number: int, place: Path, following: Sequence[Next]) -> Take:
    mark = Path(os.environ.get("PLANTED_MARKS", context.scratch)) / machine_name()
    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.touch()
    time.sleep(float(os.environ.get("PLANTED_S", "0")))
    mark.unlink()
    drawn = random.Random(sha256_of_json([run.path, number])).random()
    if drawn < float(os.environ.get("PLANTED_VOID", "0")):
        raise VoidError(Cause.FRAMES_LOST, "3 frames lost")
    folder = context.scratch / run.path.replace("/", "~")
    folder.mkdir(parents=True)
    (folder / "page.har").write_bytes(HAR)
    value = {
        "contract": "eyelevel/take/1",
        "site": run.site,
        "recording": run.recording,
        "start_url": f"https://{run.site}.example/",
        "network": {"name": run.network, "digest": "01" * 32},
        "stack": {"name": run.stack, "digest": "02" * 32},
        "cache": run.cache,
        "run": run.number,
        "seed": run.seed,
        "attempt": number,
        "outcome": "settled",
        "viewport": context.campaign.viewport_of(run.site).as_json(),
        "film": {"path": "film.mkv", "frames": 1, "zero_error_ms": 0.0},
        "metrics": {"fvc_ms": 300.0, "si_ms": 400 + 50 * drawn, "vc85_ms": 500.0, "lvc_ms": 900.0, "plt_ms": 800.0},
        "settled_ms": 3900.0,
        "fidelity": {"exact": 9, "equivalent": 0, "inexact": 0, "missed": 0, "before_load_digest": "03" * 32},
        "provenance": {
            "tools": {},
            "fonts_digest": "04" * 32,
            "browser_arguments": [],
            "page_script_digest": "05" * 32,
            "scheduler": context.campaign.scheduler,
            "calibration_digest": context.calibration,
            "machine": this_machine().as_json(),
        },
        "files": {
            "page.har": {"sha256": sha256_of_bytes(HAR), "bytes": len(HAR), "media_type": "application/json"},
        },
    }
    check(value, "take.1", source="take.json")
    (folder / "take.json").write_text(json.dumps(value, sort_keys=True, indent=1) + "\n")
    place.parent.mkdir(parents=True, exist_ok=True)
    folder.rename(place)
    return Take.of(value)


def reported(folder: BatchFolder, runs: Sequence[Run], campaign: Campaign) -> dict[str, Take]:
    return taken(folder, runs, campaign)


PLANTED = {
    "plan": plan,
    "check_tools": lambda: None,
    "_calibrated": calibrated,
    "prepared": prepared,
    "attempt": attempt,
    "_try": lambda context, runs: None,
    "_report": reported,
}


def run() -> None:
    """Run the command with what is planted."""
    with ExitStack() as ends:
        for name, instead in PLANTED.items():
            ends.enter_context(patch.object(command, name, instead))
        sys.argv = ["eyelevel", "capture", *sys.argv[1:]]
        main()


if __name__ == "__main__":
    run()
