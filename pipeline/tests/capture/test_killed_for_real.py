"""kill -9 of the real command, clips included, then the same command: the same set of takes, none twice."""

import json
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from eyelevel.capture.resuming.resume import lines
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.contracts import check, sha256_of_bytes
from tests.capture.campaigns import ONE_ATTEMPT
from tests.loads.needs import needs_testbed
from tests.loads.processes import left_by_browsers, processes_about
from tests.loads.recordings import WITH_STYLE, record

CAMPAIGN = f"""{ONE_ATTEMPT}
name = "killed"
runs = 4
networks = ["DSL"]
stacks = ["TCP+", "QUIC"]
quiet_ms = 300

[[sites]]
name = "styled"
recording = "styled.warc.gz"

[clips]
quantiles = []
tail_ms = 200
researcher = false
identical = false
control_delay_ms = 0
"""
RUNS = {f"takes/styled/DSL/{stack}/run-0{run}" for stack in ("TCP+", "QUIC") for run in (1, 2, 3, 4)}
# what must be there before a kill, and within how many seconds afterwards a random one comes: too few for all the runs
KILLS = {
    "a film": (".attempts/*/changes", 3.0),
    "a take": ("takes/*/*/*/*/take.json", 3.0),
    "a clip": ("clips/.*.part", 0.3),
}


def started(folder: Path) -> "subprocess.Popen[str]":
    command = ["capture", str(folder / "campaign.toml"), "--out", str(folder / "batch"), "--no-calibrate", "--no-probe"]
    return subprocess.Popen(
        [sys.executable, "-m", "eyelevel", *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )


def wait_for(pattern: str, process: "subprocess.Popen[str]", batch: Path, since: float) -> None:
    """Until this very command has made such a file or folder: what an earlier one left does not count."""
    until = time.monotonic() + 120
    while time.monotonic() < until and process.poll() is None:
        for path in batch.glob(pattern):
            with suppress(FileNotFoundError):
                if path.stat().st_mtime > since:
                    return
        time.sleep(0.01)
    process.kill()
    pytest.fail(f"{pattern} did not appear: {process.communicate()[1]}")


def check_gone(batch: Path) -> None:
    """Fails if processes of a killed command are still there after 10 s."""
    until = time.monotonic() + 10
    while processes_about(str(batch)) and time.monotonic() < until:
        time.sleep(0.1)
    assert processes_about(str(batch)) == []


def takes(batch: Path) -> dict[str, str]:
    """The digest of each take.json by its run."""
    found = batch.glob("takes/*/*/*/*/take.json")
    return {path.parent.relative_to(batch).as_posix(): sha256_of_bytes(path.read_bytes()) for path in found}


@needs_testbed
@pytest.mark.root
@pytest.mark.browser
@pytest.mark.realtime
def test_a_kill_at_each_stage_loses_no_run_doubles_none_and_leaves_nothing_behind(tmp_path: Path) -> None:
    killed_and_resumed(tmp_path, lambda _: 0)


@needs_testbed
@pytest.mark.root
@pytest.mark.browser
@pytest.mark.realtime
@pytest.mark.soak
@pytest.mark.parametrize("seed", range(5))
def test_kills_at_random_moments_lose_no_run_and_double_none(tmp_path: Path, seed: int) -> None:
    moments = random.Random(seed)
    killed_and_resumed(tmp_path, lambda longest_s: moments.uniform(0, longest_s))


def killed_and_resumed(tmp_path: Path, delay_s: Callable[[float], float]) -> None:
    (tmp_path / "campaign.toml").write_text(CAMPAIGN)
    record(tmp_path / "styled.warc.gz", WITH_STYLE)
    batch = tmp_path / "batch"
    names_before = left_by_browsers()
    before: dict[str, str] = {}
    for what, (pattern, longest_s) in KILLS.items():
        since = time.time()
        process = started(tmp_path)
        wait_for(pattern, process, batch, since)
        time.sleep(delay_s(longest_s))
        assert process.poll() is None, f"the campaign ended before it could be killed after {what}"
        process.send_signal(signal.SIGKILL)
        process.communicate()
        check_gone(batch)
        assert left_by_browsers() - names_before == set()
        now = takes(batch)
        assert before.items() <= now.items()
        before = now
    assert set(before) == RUNS  # the last kill hit the clips

    last = started(tmp_path)
    _, stderr = last.communicate(timeout=480)
    assert last.returncode == 0, stderr
    done = takes(batch)
    assert before.items() <= done.items()
    assert set(done) == RUNS
    assert Counter(line.run for line in lines(BatchFolder(batch)) if line.outcome == "valid") == Counter(RUNS)
    assert not (batch / ".attempts").exists()
    manifest = json.loads((batch / "manifest.json").read_text())
    check(manifest, "batch.1", source="manifest.json")
    assert sorted(clip["stacks"] for clip in manifest["clips"]) == [
        ["QUIC"],
        ["QUIC", "TCP+"],
        ["TCP+"],
        ["TCP+", "QUIC"],
    ]
    assert {path.name for path in (batch / "clips").iterdir()} == {
        f"{clip['sha256']}.mp4" for clip in manifest["clips"]
    }
