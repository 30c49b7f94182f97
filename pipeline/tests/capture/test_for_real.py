"""A fixture site is filmed in the testbed over both stacks; a kill in the middle loses nothing and doubles nothing."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from eyelevel import video
from eyelevel.replay.binary import find_testbed
from eyelevel_core.contracts import check, sha256_of_bytes
from tests.capture.needs import needs_testbed
from tests.capture.processes import processes_about

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"
CAMPAIGN = f"""
contract = "eyelevel/campaign/1"
name = "for-real"
seed = 11
networks = ["DSL"]
stacks = ["TCP+", "QUIC"]
max_attempts = 8

[[sites]]
name = "garden"
recording = "{FIXTURES / "garden.warc.gz"}"
"""
PROTOCOLS = {"TCP+": "h2", "QUIC": "h3"}


def started(folder: Path) -> "subprocess.Popen[str]":
    (folder / "campaign.toml").write_text(CAMPAIGN)
    command = [
        sys.executable,
        "-m",
        "eyelevel",
        "capture",
        str(folder / "campaign.toml"),
        "--out",
        str(folder / "batch"),
        "--no-calibrate",
    ]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for(process: "subprocess.Popen[str]", pattern: str, folder: Path, *, at_most_s: float) -> Path:
    until = time.monotonic() + at_most_s
    while time.monotonic() < until and process.poll() is None:
        found = next(folder.glob(pattern), None)
        if found is not None:
            return found
        time.sleep(0.05)
    process.kill()
    pytest.fail(f"{pattern} did not appear: {process.communicate()[1]}")


def left_by_browsers() -> set[str]:
    """What browsers, their driver and screens put into a machine's folder for temporary files."""
    patterns = ("org.chromium.*", "playwright*", "pulse-*", ".X*-lock", ".X11-unix/X*")
    return {path.name for pattern in patterns for path in Path("/tmp").glob(pattern)}  # noqa: S108


def takes(batch: Path) -> dict[str, dict[str, Any]]:
    return {path.parts[-3]: json.loads(path.read_text()) for path in batch.glob("takes/*/*/*/*/take.json")}


@needs_testbed
@pytest.mark.root
@pytest.mark.browser
@pytest.mark.realtime
def test_a_killed_campaign_goes_on_where_it_stopped_and_both_stacks_show_the_same_page(tmp_path: Path) -> None:
    batch = tmp_path / "batch"
    names_before = left_by_browsers()
    first = started(tmp_path)
    done = wait_for(first, "takes/*/*/*/run-01/take.json", batch, at_most_s=120)
    before = done.read_bytes()
    wait_for(first, ".attempts/*/film.mkv", batch, at_most_s=60)
    first.send_signal(signal.SIGKILL)
    first.communicate()
    until = time.monotonic() + 10
    while processes_about(str(batch)) and time.monotonic() < until:
        time.sleep(0.1)
    assert processes_about(str(batch)) == []
    assert left_by_browsers() - names_before == set()
    assert len(takes(batch)) == 1

    second = started(tmp_path)
    told = second.communicate(timeout=480)
    assert second.returncode == 0, told[1]
    assert done.read_bytes() == before
    assert not (batch / ".attempts").exists()
    assert set(takes(batch)) == {"TCP+", "QUIC"}
    lines = [json.loads(line) for line in (batch / "attempts.jsonl").read_text().splitlines()]
    valid = sorted(line["run"] for line in lines if line["outcome"] == "valid")
    assert valid in (
        ["takes/garden/DSL/QUIC/run-01", "takes/garden/DSL/TCP+/run-01"],
        [next(line["run"] for line in lines if line["outcome"] == "valid")],  # killed between take and its line
    )
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
    assert take["settled_ms"] >= max(metrics["lvc_ms"], metrics["plt_ms"]) + 3000 - 40
    check_film(folder, take)


def check_film(folder: Path, take: dict[str, Any]) -> None:
    """White at navigation start; a page in many colours in the end; orange never after navigation start."""
    times = json.loads((folder / "frames.json").read_text())["times_ms"]
    frames = list(video.decode(video.probe(folder / "film.mkv")))
    assert len(frames) == len(times) == take["film"]["frames"]
    zero = max(i for i, ms in enumerate(times) if ms <= 0)
    assert frames[zero].min() == 255
    assert len({tuple(pixel) for pixel in frames[-1].reshape(-1, 3)[::997]}) > 100
    first_change = next(i for i in range(zero, len(times)) if frames[i].min() < 255)
    assert times[first_change] == take["metrics"]["fvc_ms"]


@needs_testbed
@pytest.mark.root
def test_an_unknown_stack_is_told_before_anything_is_filmed(tmp_path: Path) -> None:
    (tmp_path / "campaign.toml").write_text(CAMPAIGN.replace('"QUIC"', '"SCTP"'))
    command = ["capture", str(tmp_path / "campaign.toml"), "--out", str(tmp_path / "batch")]
    told = subprocess.run([sys.executable, "-m", "eyelevel", *command], capture_output=True, text=True, check=False)
    assert told.returncode == 4
    assert 'unknown stack "SCTP"' in told.stderr
    assert "Traceback" not in told.stderr
    assert not (tmp_path / "batch" / "takes").exists()


@needs_testbed
def test_eyelevel_testbed_becomes_the_program() -> None:
    told = subprocess.run(
        [sys.executable, "-m", "eyelevel", "testbed", "--version"],
        capture_output=True, text=True, check=True, env={**os.environ, "EYELEVEL_TESTBED": str(find_testbed())},
    )  # fmt: skip
    assert told.stdout.startswith("eyelevel-testbed ")
