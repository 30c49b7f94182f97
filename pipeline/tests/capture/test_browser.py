"""Chromium's arguments, of which each way to a stack has its own; and its end: killed by its profile, and no other."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from eyelevel.capture.inside import browser
from eyelevel.capture.inside.browser import WAYS, arguments, discoverable

SLEEP = [sys.executable, "-c", "import time; print(flush=True); time.sleep(60)"]
RULES = "MAP a.test 192.0.2.1,MAP b.test 192.0.2.2,MAP * ~NOTFOUND"


def given(way: str) -> list[str]:
    return arguments(
        way=way,
        width_px=640,
        height_px=480,
        resolver_rules=RULES,
        spki="key",
        profile=Path("/profile"),
        is_root=False,
    )


def test_quic_that_is_to_be_discovered_is_allowed_with_every_host_and_forced_on_none() -> None:
    assert discoverable(RULES) == "--origin-to-force-quic-on=a.test:1,b.test:1"


@pytest.mark.parametrize(
    ("way", "own"),
    [
        ("tcp", {"--disable-quic"}),
        ("http1", {"--disable-quic", "--disable-http2"}),
        ("quic", {"--enable-quic", "--origin-to-force-quic-on=*"}),
        ("alt-svc", {"--enable-quic", "--origin-to-force-quic-on=a.test:1,b.test:1"}),
    ],
)
def test_a_way_has_its_own_arguments_and_shares_all_others(way: str, own: set[str]) -> None:
    shared = set.intersection(*(set(given(other)) for other in WAYS))
    assert set(given(way)) - shared == own


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
