"""A program that computes beside a page load: the run is void, and says why."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from eyelevel.capture.attempt import CaptureContext, attempt
from eyelevel.capture.campaign import read_campaign
from eyelevel.capture.command import WATCH
from eyelevel.capture.inside.request import Cause, VoidError
from eyelevel.capture.networks import networks
from eyelevel.capture.plan import expand
from eyelevel.capture.stacks import stacks
from eyelevel.capture.worker import CaptureWorker
from eyelevel.replay.binary import find_testbed
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.model.run import Run
from tests.capture.needs import needs_testbed

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"
CAMPAIGN = f"""
contract = "eyelevel/campaign/1"
name = "busy"
seed = 3
networks = ["DSL"]
stacks = ["TCP+"]
quiet_ms = 400
viewport = {{ width_px = 640, height_px = 360 }}
[[sites]]
name = "garden"
recording = "{FIXTURES / "garden.warc.gz"}"
"""
pytestmark = [needs_testbed, pytest.mark.root, pytest.mark.browser, pytest.mark.realtime]


@contextmanager
def busy() -> Iterator[None]:
    """As many programs as processors, each of which takes all it gets; not in this session, which has one weight."""
    command = [sys.executable, "-c", "while True: pass"]
    running = [subprocess.Popen(command, start_new_session=True) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


def prepared(folder: Path) -> tuple[CaptureContext, Run]:
    file = folder / "campaign.toml"
    file.write_text(CAMPAIGN)
    source, testbed = read_campaign(file, None), find_testbed()
    (site,) = source.sites
    known = networks(testbed, source, folder / "networks")
    digests = {name: network.digest for name, network in known.items()}
    context = CaptureContext(
        batch=BatchFolder(folder / "batch"),
        campaign=source.campaign,
        sites=source.sites,
        testbed=testbed,
        worker=CaptureWorker(folder / "batch" / ".attempts", watch=WATCH),
        networks=known,
        stacks=stacks(testbed),
    )
    (run, *_) = expand(source.campaign, {site.name: site.digest}, digests)
    return context, run


def test_a_run_beside_a_busy_program_is_void(tmp_path: Path) -> None:
    context, run = prepared(tmp_path)
    place = context.batch.take_folder(run)
    with closing(context.worker), busy():
        with pytest.raises(VoidError, match="others used") as caught:
            attempt(context, run, 1, place)
        assert caught.value.cause is Cause.MACHINE_BUSY
        assert not place.exists()
        # the same again, where the campaign allows it
        allowing = replace(context, campaign=replace(context.campaign, max_outside_share=1.0))
        taken = attempt(allowing, run, 2, place)
    assert taken.pressure is not None
    assert taken.pressure.outside_share > 0.2
    assert taken.pressure.capture_share > 0.05
