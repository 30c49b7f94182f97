"""Simulates a closed laptop: stops all processes of a browser and continues them later."""

import contextlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import processes


@contextlib.contextmanager
def closed_lid(profile: Path) -> Iterator[None]:
    """Within it, the browser on this profile folder, which the caller must have started, does nothing at all.

    Its clock goes on, as that of a laptop does, and so do the servers to which it is connected.
    """
    stopped: list[int] = []
    try:
        # whoever stands still starts no others
        while missing := [pid for pid in browser_on(profile) if pid not in stopped]:
            for pid in missing:
                stopped.append(pid)
                _signal(pid, signal.SIGSTOP)
        assert stopped, f"no browser runs on {profile}"
        yield
        awake = [pid for pid in stopped if processes.state(pid) not in ("T", "Z", "")]
        assert not awake, f"processes {awake} of the browser on {profile} did not stand still"
    finally:
        for pid in reversed(stopped):
            _signal(pid, signal.SIGCONT)


def browser_on(profile: Path) -> list[int]:
    """The browser's first process and all that descend from it."""
    mine = f"--user-data-dir={profile}".encode()
    named = [pid for pid in processes.everything() if mine in processes.words(pid)]
    return list(dict.fromkeys(pid for first in named for pid in processes.descendants(first)))


def _signal(pid: int, what: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, what)
