"""The next run is made ready while a page settles, where the campaign lets it; a worker that dies costs one attempt."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from eyelevel.capture.resuming.resume import lines
from eyelevel.loads.inside.autogroup import can_hold_back
from eyelevel_core.batch_folder import BatchFolder
from tests.capture.campaigns import ONE_ATTEMPT
from tests.loads.needs import needs_testbed
from tests.loads.processes import processes_about
from tests.loads.recordings import WITH_STYLE, record

CAMPAIGN = """
name = "prelaunch"
runs = 2
networks = ["DSL"]
stacks = ["TCP+", "QUIC"]
quiet_ms = 600
prelaunch = {prelaunch}

[[sites]]
name = "styled"
recording = "styled.warc.gz"
"""
pytestmark = [needs_testbed, pytest.mark.root, pytest.mark.browser, pytest.mark.realtime]


def started(folder: Path, *, prelaunch: bool, head: str = ONE_ATTEMPT) -> "subprocess.Popen[str]":
    (folder / "campaign.toml").write_text(head + CAMPAIGN.format(prelaunch=str(prelaunch).lower()))
    record(folder / "styled.warc.gz", WITH_STYLE)
    options = ["--out", str(folder / "batch"), "--no-calibrate", "--no-clips", "--no-probe"]
    return subprocess.Popen(
        [sys.executable, "-m", "eyelevel", "capture", str(folder / "campaign.toml"), *options],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def takes(process: "subprocess.Popen[str]", folder: Path) -> list[dict[str, Any]]:
    """All takes in the order in which they were taken, once the command has ended."""
    _, stderr = process.communicate(timeout=240)
    assert process.returncode == 0, stderr
    ended = [line.run for line in lines(BatchFolder(folder / "batch")) if line.outcome == "valid"]
    assert len(ended) == len(set(ended)) == 4
    return [json.loads((folder / "batch" / run / "take.json").read_text()) for run in ended]


def test_browsers_begin_once_a_page_is_quiet_and_only_where_they_can_be_held_back(tmp_path: Path) -> None:
    process = started(tmp_path, prelaunch=True)
    weights = weights_of_browsers(process)
    taken = takes(process, tmp_path)
    if not can_hold_back():  # as in most containers
        assert [take["next_began_ms"] for take in taken] == [None] * 4
        return
    assert {19, 0} <= weights
    began = [take for take in taken if take["next_began_ms"] is not None]
    assert began
    for take in began:
        assert quiet_from_ms(take) + 100 < take["next_began_ms"] < take["settled_ms"]


@pytest.mark.soak
@pytest.mark.skipif(not can_hold_back(), reason="no process can be held back here")
def test_on_a_quiet_machine_every_browser_is_ready_when_its_turn_comes(tmp_path: Path) -> None:
    found = []
    for number in range(5):
        folder = tmp_path / str(number)
        folder.mkdir()
        found += not_as_planned(takes(started(folder, prelaunch=True), folder))
    assert found == []


def quiet_from_ms(take: dict[str, Any]) -> float:
    return float(max(take["metrics"]["plt_ms"], take["metrics"]["lvc_ms"]))


def not_as_planned(taken: list[dict[str, Any]]) -> list[Any]:
    """What a calm machine would have done in another way."""
    *earlier, beforelast, last = taken
    # the second of two is begun beside the first, so none is left to begin for the last but one
    found = [take["next_began_ms"] for take in (beforelast, last) if take["next_began_ms"] is not None]
    for take in earlier:
        began_ms, quiet_ms = take["next_began_ms"], quiet_from_ms(take)
        if began_ms is None or not quiet_ms + 100 < began_ms < take["settled_ms"] - 100:
            found.append((quiet_ms, began_ms, take["settled_ms"]))
    for part in ("set_up", "white"):
        part_ms = [take["timing_ms"][part] for take in taken if take["attempt"] == 1]
        found += [(part, ms) for ms in part_ms[1:] if ms != 0]
    return found


def test_a_campaign_may_have_each_run_begin_when_the_one_before_is_over(tmp_path: Path) -> None:
    for take in takes(started(tmp_path, prelaunch=False), tmp_path):
        assert take["next_began_ms"] is None
        assert take["timing_ms"]["set_up"] > 0


def test_a_studio_that_dies_costs_one_attempt_and_leaves_nothing(tmp_path: Path) -> None:
    process = started(tmp_path, prelaunch=True, head=ONE_ATTEMPT.replace("max_attempts = 1", "max_attempts = 2"))
    until = time.monotonic() + 120
    while not list((tmp_path / "batch").glob("takes/*/*/*/*/take.json")):
        assert time.monotonic() < until, "no run was taken"
        time.sleep(0.02)
    (worker,) = filming(tmp_path)
    os.kill(worker, signal.SIGKILL)
    takes(process, tmp_path)
    attempts = lines(BatchFolder(tmp_path / "batch"))
    assert [line.cause for line in attempts if line.outcome != "valid"] == ["process died"]
    assert len(attempts) == 5
    assert filming(tmp_path) == []
    until = time.monotonic() + 10
    while (left := processes_about(str(tmp_path / "batch"))) and time.monotonic() < until:
        time.sleep(0.1)
    assert left == []


def weights_of_browsers(process: "subprocess.Popen[str]") -> set[int]:
    """The weights that sessions of browsers had until the command ended."""
    found = set()
    while process.poll() is None:
        for path in Path("/proc").glob("[0-9]*"):
            with suppress(OSError, ValueError):
                if b"--user-data-dir=/dev/shm/profile" in (path / "cmdline").read_bytes():
                    found.add(int((path / "autogroup").read_text().split()[-1]))
        time.sleep(0.1)
    return found


def filming(folder: Path) -> list[int]:
    """The processes that film for this batch; without a child that has not become its own program yet."""
    found = {}
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (path / "cmdline").read_bytes().split(b"\0")
            if b"eyelevel.loads.inside" in words and str(folder / "batch" / ".attempts").encode() in words:
                found[int(path.name)] = int((path / "stat").read_text().rpartition(")")[2].split()[1])
    return [pid for pid, parent in found.items() if parent not in found]
