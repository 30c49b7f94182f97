"""A testbed or a browser that does not do what the stack's name says: real page loads, and the attempt is void.

The faults lie behind the label (pipeline/testbed/examples/planted.rs): no report is changed by hand.
"""

import os
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from eyelevel.built import TESTBED
from eyelevel.capture.attempts.attempt import CaptureContext, attempt
from eyelevel.capture.planning.campaign_file import read_campaign
from eyelevel.capture.planning.networks import networks
from eyelevel.capture.planning.runs import expand
from eyelevel.loads.inside.request import Cause, VoidError
from eyelevel.loads.worker import CaptureWorker
from eyelevel.stacks import stacks
from eyelevel_core.batch_folder import BatchFolder

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"
PLANTED = TESTBED.built.parent / "examples" / "planted"
pytestmark = [
    pytest.mark.root,
    pytest.mark.browser,
    pytest.mark.realtime,
    pytest.mark.skipif(not PLANTED.is_file(), reason="the testbed with faults is not built (make test-rust)"),
]


def void_of(folder: Path, *, stack: str, fault: str, monkeypatch: pytest.MonkeyPatch) -> VoidError:
    """What voids an attempt on DSL at the fixture site with the most connections."""
    file = folder / "campaign.toml"
    file.write_text(
        'contract = "eyelevel/campaign/1"\nname = "planted"\nseed = 3\nnetworks = ["DSL"]\n'
        f'stacks = ["{stack}"]\nquiet_ms = 400\nviewport = {{ width_px = 640, height_px = 360 }}\n'
        '[[sites]]\nname = "teashop"\n'
        f'recording = "{FIXTURES / "teashop.warc.gz"}"\n'
    )
    source = read_campaign(file, None)
    (site,) = source.sites
    known = networks(PLANTED, source, folder / "networks")
    digests = {name: network.digest for name, network in known.items()}
    (run, *_) = expand(source.campaign, {site.name: site.digest}, digests)
    context = CaptureContext(
        batch=BatchFolder(folder / "batch"),
        campaign=source.campaign,
        sites=source.sites,
        testbed=PLANTED,
        worker=CaptureWorker(folder / "batch" / ".attempts"),
        networks=known,
        stacks=stacks(PLANTED),
    )
    monkeypatch.setenv("EYELEVEL_TEST_FAULT", fault)
    with closing(context.worker), pytest.raises(VoidError) as caught:
        attempt(context, run, 1, context.batch.take_folder(run))
    return caught.value


def test_a_server_that_is_not_paced_is_found_on_the_wire(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    void = void_of(tmp_path, stack="TCP+", fault="no pacing", monkeypatch=monkeypatch)
    assert void.cause is Cause.WIRE_CONTRADICTION
    assert "stack TCP+ is paced, but " in void.detail


def test_a_server_that_answers_h2_in_the_quic_arm_is_found_by_the_protocol_of_its_responses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chromium = shutil.which("chromium")
    wrapper = tmp_path / "bin" / "chromium"
    wrapper.parent.mkdir()
    # A browser that does not insist on QUIC, so that such a server gets to answer at all.
    wrapper.write_text(
        f'#!/bin/bash\nfor a; do [[ $a == --origin-to-force-quic-on=* ]] || kept+=("$a"); done\n'
        f'exec {chromium} "${{kept[@]}}"\n'
    )
    wrapper.chmod(0o755)
    monkeypatch.setenv("PATH", f"{wrapper.parent}:{os.environ['PATH']}")
    void = void_of(tmp_path, stack="QUIC", fault="h2", monkeypatch=monkeypatch)
    assert void.cause is Cause.WRONG_PROTOCOL
    assert "responses did not come over h3, such as https://www.slowleaf.test/ over h2" in void.detail
