"""A fixture site is filmed over both stacks: contracts, wire settings, metrics and films of the takes."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from eyelevel import video
from eyelevel.built import find_testbed
from eyelevel_core.contracts import check, sha256_of_bytes
from tests.capture.campaigns import ONE_ATTEMPT
from tests.loads.needs import needs_testbed
from tests.loads.processes import left_by_browsers

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"
CAMPAIGN = f"""{ONE_ATTEMPT}
name = "for-real"
networks = ["DSL"]
stacks = ["TCP+", "QUIC"]
quiet_ms = 400

[[sites]]
name = "garden"
recording = "{FIXTURES / "garden.warc.gz"}"
"""
PROTOCOLS = {"TCP+": "h2", "QUIC": "h3"}


def takes(batch: Path) -> dict[str, dict[str, Any]]:
    return {path.parts[-3]: json.loads(path.read_text()) for path in batch.glob("takes/*/*/*/*/take.json")}


@needs_testbed
@pytest.mark.root
@pytest.mark.browser
@pytest.mark.realtime
def test_both_stacks_show_the_same_page_over_networks_that_were_calibrated(tmp_path: Path) -> None:
    (tmp_path / "campaign.toml").write_text(CAMPAIGN)
    batch = tmp_path / "batch"
    names_before = left_by_browsers()
    command = [
        sys.executable,
        "-m",
        "eyelevel",
        "capture",
        str(tmp_path / "campaign.toml"),
        "--out",
        str(batch),
        "--no-probe",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=480)
    assert done.returncode == 0, done.stderr
    assert left_by_browsers() - names_before == set()
    assert not (batch / ".attempts").exists()
    assert set(takes(batch)) == {"TCP+", "QUIC"}
    digest = sha256_of_bytes((batch / "calibration.json").read_bytes())
    assert {take["provenance"]["calibration_digest"] for take in takes(batch).values()} == {digest}
    for stack, take in takes(batch).items():
        check_take(batch / "takes" / "garden" / "DSL" / stack / "run-01", take, PROTOCOLS[stack])
    digests = {take["fidelity"]["before_load_digest"] for take in takes(batch).values()}
    assert len(digests) == 1
    for scene in json.loads((batch / "fidelity.json").read_text()):
        assert (scene["differences"], scene["settings_differ"]) == ([], [])
    check_settings(batch)
    manifest = json.loads((batch / "manifest.json").read_text())
    check(manifest, "batch.1", source="manifest.json")
    scripts = {take["provenance"]["page_script_digest"] for take in takes(batch).values()}
    assert len(scripts) == 1


def check_settings(batch: Path) -> None:
    """The reports of both arms hold what was measured, and differ where the definitions do."""
    wires = {path.parts[-3]: json.loads(path.read_text()) for path in batch.glob("takes/*/*/*/*/wire.json")}
    tcp, quic = (wires[stack]["wire"]["settings"] for stack in ("TCP+", "QUIC"))
    assert {name for name, value in tcp.items() if value != quic[name]} == {
        "transport", "alpn", "handshake_round_trips", "send_buffer_bytes", "receive_buffer_bytes", "kernel",
    }  # fmt: skip
    assert (tcp["handshake_round_trips"], quic["handshake_round_trips"]) == ([2], [1])
    for settings in (tcp, quic):
        known = (settings["initial_window_packets"], settings["congestion_control"], settings["pacing"])
        assert known == ([32], ["cubic"], [True])


def check_take(folder: Path, take: dict[str, Any], protocol: str) -> None:
    check(take, "take.1", source=str(folder))
    for name, entry in take["files"].items():
        assert sha256_of_bytes((folder / name).read_bytes()) == entry["sha256"], name
    responses = json.loads((folder / "responses.json").read_text())
    assert {entry["protocol"] for entry in responses} == {protocol}
    assert len(responses) == 25
    assert take["fidelity"] == {**take["fidelity"], "exact": 20, "inexact": 0, "missed": 0}
    assert take["outcome"] == "settled"
    metrics = take["metrics"]
    assert 0 < metrics["fvc_ms"] <= metrics["vc85_ms"] <= metrics["lvc_ms"]
    # DSL: handshake, request and answer are three round trips of 24 ms on TCP, two on QUIC; a page cannot be faster
    assert metrics["plt_ms"] > 48
    # TTFB is a round trip at least; no metric comes before what it needs
    assert 24 < metrics["ttfb_ms"] < metrics["fcp_ms"] <= metrics["lcp_ms"]
    assert metrics["ttfb_ms"] < metrics["dcl_ms"] <= metrics["plt_ms"]
    assert metrics["tti_ms"] >= max(metrics["fcp_ms"], metrics["dcl_ms"])
    assert (metrics["tbt_ms"] >= 0, 0 <= metrics["cls"] < 1) == (True, True)
    assert take["lcp_element"]["selector"]
    assert take["settled_ms"] >= max(metrics["lvc_ms"], metrics["plt_ms"]) + 400 - 40
    check_film(folder, take)


def check_film(folder: Path, take: dict[str, Any]) -> None:
    """White at navigation start; a page in many colours in the end; orange never after navigation start."""
    times = json.loads((folder / "frames.json").read_text())["times_ms"]
    frames = list(video.decode(video.inspect(folder / "film.mkv")))
    assert len(frames) == len(times) == take["film"]["frames"]
    assert times[-1] <= take["settled_ms"] == take["film"]["end_ms"]
    zero = max(i for i, ms in enumerate(times) if ms <= 0)
    assert frames[zero].min() == 255
    assert len({tuple(pixel) for pixel in frames[-1].reshape(-1, 3)[::251]}) > 100
    first_change = next(i for i in range(zero, len(times)) if frames[i].min() < 255)
    assert times[first_change] == take["metrics"]["fvc_ms"]


@needs_testbed
@pytest.mark.root
def test_an_unknown_stack_is_reported_before_anything_is_filmed(tmp_path: Path) -> None:
    (tmp_path / "campaign.toml").write_text(CAMPAIGN.replace('"QUIC"', '"SCTP"'))
    command = ["capture", str(tmp_path / "campaign.toml"), "--out", str(tmp_path / "batch"), "--no-probe"]
    done = subprocess.run([sys.executable, "-m", "eyelevel", *command], capture_output=True, text=True, check=False)
    assert done.returncode == 4
    assert 'unknown stack "SCTP"' in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "batch" / "takes").exists()


@needs_testbed
def test_eyelevel_testbed_becomes_the_program() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "eyelevel", "testbed", "--version"],
        capture_output=True, text=True, check=True, env={**os.environ, "EYELEVEL_TESTBED": str(find_testbed())},
    )  # fmt: skip
    assert done.stdout.startswith("eyelevel-testbed ")
