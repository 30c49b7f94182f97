"""A second visit starts with what its cache mode keeps of the first one, and with nothing else: seen on the wire."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from eyelevel.errors import BadInputError
from eyelevel.stacks import Stack, chosen
from eyelevel_core.contracts import check
from tests.capture.campaigns import ONE_ATTEMPT
from tests.loads.needs import needs_testbed
from tests.loads.recordings import RESTLESS, WITH_STYLE, record

CAMPAIGN = f"""{ONE_ATTEMPT}
name = "modes"
networks = ["LTE"]
stacks = ["QUIC"]
cache = ["cold", "http"]
pairs = []
quiet_ms = 400

[[sites]]
name = "styled"
recording = "styled.warc.gz"
"""

LIMITED = CAMPAIGN.replace('cache = ["cold", "http"]', 'cache = ["http"]\nlimit_s = 5')


@needs_testbed
@pytest.mark.root
@pytest.mark.browser
@pytest.mark.realtime
def test_a_second_visit_asks_only_for_what_may_not_be_kept(tmp_path: Path) -> None:
    batch = captured(tmp_path, CAMPAIGN, WITH_STYLE)
    asked = {}
    for cache, name in (("cold", "run-01"), ("http", "http-01")):
        folder = batch / "takes" / "styled" / "LTE" / "QUIC" / name
        take = json.loads((folder / "take.json").read_text())
        check(take, "take.1", source=str(folder))
        assert (take["cache"], take["outcome"], take["network"]["name"]) == (cache, "settled", "LTE")
        responses = json.loads((folder / "responses.json").read_text())
        asked[cache] = {x["url"].rpartition("/")[2]: x["from_cache"] for x in responses}
        wire = json.loads((folder / "wire.json").read_text())
        assert sum(request["matched_url"] is not None for request in wire["server"]["requests"]) == (
            2 if cache == "cold" else 1
        )
    assert asked == {"cold": {"": False, "a.css": False}, "http": {"": False, "a.css": True}}
    scenes = json.loads((batch / "fidelity.json").read_text())
    assert [(scene["cache"], len(scene["takes"])) for scene in scenes] == [("cold", 1), ("http", 1)]


@needs_testbed
@pytest.mark.root
@pytest.mark.browser
@pytest.mark.realtime
def test_a_page_that_moves_for_ever_has_filled_the_cache_when_its_network_is_quiet(tmp_path: Path) -> None:
    began_s = time.monotonic()
    batch = captured(tmp_path, LIMITED, RESTLESS + WITH_STYLE)
    # the second visit ends at the limit of 5 s; the first one's is 300 s
    assert time.monotonic() - began_s < 100
    folder = batch / "takes" / "styled" / "LTE" / "QUIC" / "http-01"
    assert json.loads((folder / "take.json").read_text())["outcome"] == "unsettled"
    responses = json.loads((folder / "responses.json").read_text())
    assert {x["url"].rpartition("/")[2]: x["from_cache"] for x in responses} == {"": False, "a.css": True}


DISCOVERED = f"""{ONE_ATTEMPT}
name = "discovered"
stacks = ["QUIC+ALTSVC-STOCK"]
cache = ["http", "altsvc", "all"]
pairs = []
quiet_ms = 400

[networks.near]
up_mbps = "unlimited"
down_mbps = "unlimited"
rtt_ms = 20

[networks.far]
up_mbps = "unlimited"
down_mbps = "unlimited"
rtt_ms = 200

[[sites]]
name = "styled"
recording = "styled.warc.gz"
"""


@needs_testbed
@pytest.mark.root
@pytest.mark.browser
@pytest.mark.realtime
def test_quic_is_first_where_alternative_services_are_kept_and_tcp_where_only_the_http_cache_is(
    tmp_path: Path,
) -> None:
    """Chromium opens TCP 300 ms after QUIC where it remembers no round trip: after a handshake of 20 or 200 ms."""
    batch = captured(tmp_path, DISCOVERED, WITH_STYLE)
    transports, cached = {}, {}
    for network in ("near", "far"):
        for cache in ("http", "altsvc", "all"):
            folder = batch / "takes" / "styled" / network / "QUIC+ALTSVC-STOCK" / f"{cache}-01"
            flows = json.loads((folder / "wire.json").read_text())["flows"]
            transports[network, cache] = [flow["transport"] for flow in flows]
            responses = json.loads((folder / "responses.json").read_text())
            cached[network, cache] = [x["url"].rpartition("/")[2] for x in responses if x["from_cache"]]
    for network in ("near", "far"):
        assert transports[network, "http"][0] == "tcp"
        assert transports[network, "altsvc"] == ["quic"]
        assert transports[network, "all"] == ["quic"]
        assert cached[network, "http"] == cached[network, "all"] == ["a.css"]
        assert cached[network, "altsvc"] == []
    attempts = [json.loads(line) for line in (batch / "attempts.jsonl").read_text().splitlines()]
    assert [
        attempt["cause"] for attempt in attempts if attempt["cause"] in ("wrong cache state", "cache not filled")
    ] == []


RESUMED = CAMPAIGN.replace('stacks = ["QUIC"]', 'stacks = ["TCP+TICKETS", "QUIC+TICKETS"]').replace(
    'cache = ["cold", "http"]', 'cache = ["tickets"]'
)


@needs_testbed
@pytest.mark.root
@pytest.mark.browser
@pytest.mark.realtime
def test_a_visit_in_the_same_browser_resumes_tls_sessions_and_asks_for_everything_again(tmp_path: Path) -> None:
    batch = captured(tmp_path, RESUMED, WITH_STYLE)
    for stack in ("TCP+TICKETS", "QUIC+TICKETS"):
        folder = batch / "takes" / "styled" / "LTE" / stack / "tickets-01"
        wire, take, frames = (json.loads((folder / f"{name}.json").read_text()) for name in ("wire", "take", "frames"))
        check(wire, "wire.1", source=str(folder))
        assert (take["cache"], take["outcome"], take["fidelity"]["missed"]) == ("tickets", "settled", 0)
        assert {connection["resumed"] for connection in wire["server"]["connections"]} - {None} == {True}
        assert wire["earlier"]["connections"] > 0
        assert wire["earlier"]["late_requests"] == 0
        # the first visit asked as often, and neither the cache nor the film has anything of it
        asked = [request["url"].rpartition("/")[2] for request in wire["server"]["requests"]]
        assert sorted(name for name in asked if name != "favicon.ico") == ["", "a.css"]
        assert wire["earlier"]["requests"] >= 2
        assert not any(x["from_cache"] for x in json.loads((folder / "responses.json").read_text()))
        assert frames["times_ms"][0] < 0
        assert min(at_ms for at_ms in frames["times_ms"] if at_ms > 0) >= take["metrics"]["fvc_ms"] - 1


def test_tickets_is_refused_for_a_stack_without_session_tickets(tmp_path: Path) -> None:
    known = {
        name: Stack(name, "ab" * 32, {"transport": "quic", "alt_svc": False, "tickets": tickets})
        for name, tickets in (("QUIC", False), ("QUIC+TICKETS", True))
    }
    source = tmp_path / "campaign.toml"
    assert list(chosen(known, ["QUIC+TICKETS"], source=source, caches=["cold", "tickets"])) == ["QUIC+TICKETS"]
    assert list(chosen(known, ["QUIC"], source=source, caches=["cold", "altsvc"])) == ["QUIC"]
    with pytest.raises(BadInputError) as caught:
        chosen(known, ["QUIC+TICKETS", "QUIC"], source=source, caches=["cold", "tickets"])
    assert str(caught.value) == (
        f'{source}: cache mode "tickets" needs stacks with session tickets, and QUIC has none; use QUIC+TICKETS, or '
        "leave the mode out."
    )


def captured(folder: Path, campaign: str, page: bytes) -> Path:
    (folder / "campaign.toml").write_text(campaign)
    record(folder / "styled.warc.gz", page)
    batch = folder / "batch"
    options = ["--out", str(batch), "--no-calibrate", "--no-clips", "--no-probe"]
    command = [sys.executable, "-m", "eyelevel", "capture", str(folder / "campaign.toml"), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return batch
