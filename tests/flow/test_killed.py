"""kill -9 of the supervisor and of a worker: start again, and no vote is lost or doubled."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import platform_process
import pytest
from platform_process import Platform

pytestmark = [pytest.mark.services]

REPOSITORY = Path(__file__).resolve().parents[2]
SAMPLE = REPOSITORY / "fixtures" / "sample-batch"
STUDY = REPOSITORY / "fixtures" / "study-demo.yaml"
WAIT_S = 90.0


@pytest.fixture
def data() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="eyl-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def simulate(platform: Platform, slug: str, *, seed: int) -> dict[str, Any]:
    told = platform.eyelevel(
        "simulate", "--study", f"{platform.url}/s/{slug}", "--participants", "1", "--seed", str(seed)
    )
    counted: dict[str, Any] = json.loads(told)
    return counted


def results(platform: Platform, sha256: str) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {platform.secret('studies-token')}"}
    answer = httpx.get(f"{platform.url}/api/research/studies/{sha256}/results", headers=headers, timeout=30)
    answer.raise_for_status()
    found: dict[str, Any] = answer.json()
    return found


def wait_for_analysis(platform: Platform, sha256: str, votes: int) -> None:
    end = time.monotonic() + WAIT_S
    while time.monotonic() < end:
        found = results(platform, sha256)
        if found["status"] == "fresh" and found["snapshot"] and found["snapshot"]["votes"] == votes:
            return
        time.sleep(0.5)
    raise AssertionError(f"no analysis of {votes} votes within {WAIT_S:.0f} s: {found['status']}, {found['snapshot']}")


def processes_on(data: Path) -> list[int]:
    """Processes whose command line or environment names the data folder."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            told = (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes()
        except OSError:
            continue
        if os.fsencode(data) in told:
            found.append(int(entry.name))
    return found


def wait_until_gone(data: Path) -> None:
    end = time.monotonic() + WAIT_S
    while left := processes_on(data):
        assert time.monotonic() < end, f"processes are left behind: {left}"
        time.sleep(0.2)


def worker_of(data: Path) -> int:
    for pid in sorted(processes_on(data)):
        command = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        if b"celery" in command and b"worker" in command:
            return pid
    raise AssertionError("there is no worker")


def test_a_killed_supervisor_leaves_nothing_behind_and_loses_no_vote(data: Path) -> None:
    platform = platform_process.start(data)
    study = platform.publish(SAMPLE, STUDY)
    slug = study["fieldings"][0]["slug"]
    first = simulate(platform, slug, seed=1)
    platform.process.kill()
    platform.process.wait()
    wait_until_gone(data)
    again = platform_process.start(data)
    try:
        second = simulate(again, slug, seed=2)
        wait_for_analysis(again, study["sha256"], first["receipts"] + second["receipts"])
    finally:
        platform_process.stop(again)
    wait_until_gone(data)


def test_votes_are_analysed_after_the_worker_was_killed(data: Path) -> None:
    platform = platform_process.start(data)
    try:
        study = platform.publish(SAMPLE, STUDY)
        worker = worker_of(data)
        os.kill(worker, signal.SIGSTOP)  # it takes no more tasks, but keeps what it has
        counted = simulate(platform, study["fieldings"][0]["slug"], seed=1)
        os.kill(worker, signal.SIGKILL)
        wait_for_analysis(platform, study["sha256"], counted["receipts"])
    finally:
        platform_process.stop(platform)


def test_a_second_platform_on_the_same_data_is_told_who_runs(data: Path) -> None:
    platform = platform_process.start(data)
    try:
        command = [sys.executable, "-m", "eyelevel", "serve", "--data", str(data), "--port", "0"]
        second = subprocess.run(command, capture_output=True, text=True, check=False, timeout=WAIT_S)
        assert second.returncode == 1
        assert f"runs already at {platform.url} (process {platform.process.pid})" in second.stderr
    finally:
        platform_process.stop(platform)
