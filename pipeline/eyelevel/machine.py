"""Machine locks: one page load is filmed at a time, and the encoding of clips pauses while one is.

Programs that share processors would measure each other. FILMS is held for one page load, or for the calibration of the
networks. CLIPS is shared by all encoders, and every film holds it alone: so a film starts once the encoders have paused
(see giving_way.py), and no capture waits until clips are finished. The kernel releases both however a process ends.
"""

import fcntl
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

FILMS = Path("/run/eyelevel-capture.lock")
CLIPS = Path("/run/eyelevel-clips.lock")


@dataclass(frozen=True)
class Holder:
    """Who holds a lock; kept as JSON in the lock's file."""

    pid: int
    command: str
    campaign: str
    since: str

    def __str__(self) -> str:
        return f"pid {self.pid} ({self.command}), campaign {self.campaign}, since {self.since}"


@contextmanager
def alone(
    campaign: str,
    *,
    waits: Callable[[str], None],
    parts: Callable[[], None] = lambda: None,
    films: Path = FILMS,
    clips: Path = CLIPS,
) -> Iterator[None]:
    """Hold this machine for one page load of `campaign`, with all encoders paused.

    If another process holds it, `waits` is called once with a description of the holder. `parts` is called before the
    release if another capture waits: whatever is prepared for a next run has to end then. Captures that wait for each
    other take turns by run, so that none fails because another was started first.
    """
    with _opened(films) as handle, _opened(films.with_suffix(".waiting")) as waiting, _opened(clips) as encoders:
        if not _taken(handle):
            waits(holder(films))
            fcntl.flock(waiting, fcntl.LOCK_EX)
            fcntl.flock(handle, fcntl.LOCK_EX)
            fcntl.flock(waiting, fcntl.LOCK_UN)
        _sign(handle, campaign)
        fcntl.flock(encoders, fcntl.LOCK_EX)  # encoders pause within a tenth of a second
        try:
            yield
        finally:
            os.ftruncate(handle, 0)
            if not _taken(waiting):
                parts()


def holder(place: Path) -> str:
    """A description of the process that holds the lock, for a person."""
    with suppress(OSError, ValueError, TypeError):
        found = Holder(**json.loads(place.read_text()))
        os.kill(found.pid, 0)  # what a killed process left does not describe the next one
        return str(found)
    return "a process that did not leave its name"


class Share:
    """An encoder's share of the lock CLIPS. On a machine where no film can lock it, an encoder never has to pause."""

    def __init__(self, place: Path = CLIPS) -> None:
        self._handle: int | None = None
        with suppress(OSError):
            # films are made by root, clips by anyone; a lock needs no right to write
            flags = os.O_NOFOLLOW | os.O_CLOEXEC
            try:
                self._handle = os.open(place, os.O_RDONLY | flags)
            except FileNotFoundError:
                self._handle = os.open(place, os.O_RDONLY | os.O_CREAT | flags, 0o644)

    def taken(self) -> bool:
        """Take the share, unless a film is being made; whether it is held then."""
        return self._handle is None or _taken(self._handle, fcntl.LOCK_SH)

    def released(self) -> None:
        if self._handle is not None:
            fcntl.flock(self._handle, fcntl.LOCK_UN)

    def offered(self, *, breath_s: float = 0.005) -> bool:
        """Release the share for a moment, for a film that waits for it; whether it is held again then."""
        self.released()
        time.sleep(breath_s)
        return self.taken()

    def close(self) -> None:
        if self._handle is not None:
            os.close(self._handle)


def _sign(handle: int, campaign: str) -> None:
    name = Path(sys.argv[0]).name
    command = " ".join(["eyelevel" if name == "__main__.py" else name, *sys.argv[1:]])
    since = datetime.now().astimezone().isoformat(sep=" ", timespec="seconds")
    os.ftruncate(handle, 0)
    os.pwrite(handle, json.dumps(asdict(Holder(os.getpid(), command, campaign, since))).encode(), 0)


@contextmanager
def _opened(place: Path) -> Iterator[int]:
    handle = os.open(place, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
    try:
        yield handle
    finally:
        os.close(handle)


def _taken(handle: int, kind: int = fcntl.LOCK_EX) -> bool:
    """Take the lock, unless another process prevents it."""
    try:
        fcntl.flock(handle, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
