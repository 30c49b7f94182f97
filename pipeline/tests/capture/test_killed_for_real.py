"""kill -9 of the real command at random moments, clips included, then the same command: the same set, none twice."""

import json
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

from eyelevel.capture.resume import lines
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.contracts import check, sha256_of_bytes
from tests.capture.needs import needs_testbed
from tests.capture.recordings import WITH_STYLE, record

CAMPAIGN = """
contract = "eyelevel/campaign/1"
name = "killed"
seed = 11
runs = 2
networks = ["DSL"]
stacks = ["TCP+", "QUIC"]
frame_rate = 30
quiet_ms = 300
max_attempts = 8
viewport = { width_px = 640, height_px = 360 }

[[sites]]
name = "styled"
recording = "styled.warc.gz"

[clips]
quantiles = []
after_ms = 200
researcher = false
identical = false
control_delay_ms = 0
"""
RUNS = {f"takes/styled/DSL/{stack}/run-0{run}" for stack in ("TCP+", "QUIC") for run in (1, 2)}
# what must be there before a kill, and within how many seconds afterwards it comes
KILLS = {
    "an attempt": (".attempts/*", 3.0),
    "a take": ("takes/*/*/*/*/take.json", 3.0),
    "a clip": ("clips/.*.part", 0.3),
}


def started(folder: Path) -> "subprocess.Popen[str]":
    command = ["capture", str(folder / "campaign.toml"), "--out", str(folder / "batch"), "--no-calibrate"]
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


def takes(batch: Path) -> dict[str, str]:
    """The digest of each take.json by its run."""
    found = batch.glob("takes/*/*/*/*/take.json")
    return {path.parent.relative_to(batch).as_posix(): sha256_of_bytes(path.read_bytes()) for path in found}


@needs_testbed
@pytest.mark.root
@pytest.mark.browser
def test_three_kills_at_random_moments_lose_no_run_and_double_none(tmp_path: Path) -> None:
    (tmp_path / "campaign.toml").write_text(CAMPAIGN)
    record(tmp_path / "styled.warc.gz", WITH_STYLE)
    batch = tmp_path / "batch"
    moments = random.Random(19)
    before: dict[str, str] = {}
    for what, (pattern, longest_s) in KILLS.items():
        since = time.time()
        process = started(tmp_path)
        wait_for(pattern, process, batch, since)
        time.sleep(moments.uniform(0, longest_s))
        assert process.poll() is None, f"the campaign ended before it could be killed after {what}"
        process.send_signal(signal.SIGKILL)
        process.communicate()
        now = takes(batch)
        assert before.items() <= now.items()
        before = now
    assert set(before) == RUNS  # the last kill hit the clips

    last = started(tmp_path)
    _, told = last.communicate(timeout=480)
    assert last.returncode == 0, told
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
