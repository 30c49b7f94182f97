"""The end of a browser: killed by its profile, and no other."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from eyelevel.capture.inside import browser

SLEEP = [sys.executable, "-c", "import time; print(flush=True); time.sleep(60)"]


@pytest.fixture
def pretenders(tmp_path: Path) -> Iterator[list["subprocess.Popen[bytes]"]]:
    """Two processes that claim a profile each, as Chromium does; both have started."""
    started = [
        subprocess.Popen([*SLEEP, f"--user-data-dir={tmp_path / name}", "about:blank"], stdout=subprocess.PIPE)
        for name in ("profile", "profile-of-another")
    ]
    for process in started:
        assert process.stdout is not None
        process.stdout.readline()
    yield started
    for process in started:
        process.kill()
        process.communicate()


def test_only_what_runs_on_the_profile_is_killed(pretenders: list["subprocess.Popen[bytes]"], tmp_path: Path) -> None:
    own, other = pretenders
    browser._kill(tmp_path / "profile")
    assert own.wait(5) == -9
    assert other.poll() is None
