"""Machine locks: one page load is filmed at a time, and the encoding of clips pauses while one is.

Programs that share processors would disturb each other's measurements. FILMS is held for one page load, or for the
calibration of the networks. CLIPS is shared by all encoders, and exclusive for every film: a film starts once the
encoders have paused (see giving_way.py), and no capture waits until clips are finished. The kernel releases both locks
when a process ends.
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
    """The process that holds a lock, stored as JSON in the lock's file."""

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
    """Locks this machine for one page load of `campaign`, with all encoders paused.

    If another process holds the lock, `waits` is called once with a description of the holder. `parts` is called before
    the release if another capture waits, to end everything that is prepared for a next run. Captures that wait for each
    other alternate by run, so that none fails because another was started first.
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
    """Returns a description of the process that holds the lock."""
    with suppress(OSError, ValueError, TypeError):
        known = Holder(**json.loads(place.read_text()))
        os.kill(known.pid, 0)  # the file may be of a process that was killed
        return str(known)
    return "an unknown process"


class Share:
    """An encoder's share of the lock CLIPS. If the lock cannot be opened, encoders never pause."""

    def __init__(self, place: Path = CLIPS) -> None:
        self._handle: int | None = None
        with suppress(OSError):
            # films are made by root, clips by any user; a lock needs no write permission
            flags = os.O_NOFOLLOW | os.O_CLOEXEC
            try:
                self._handle = os.open(place, os.O_RDONLY | flags)
            except FileNotFoundError:
                self._handle = os.open(place, os.O_RDONLY | os.O_CREAT | flags, 0o644)

    def taken(self) -> bool:
        """Takes the share unless a film is being made; returns whether it is held."""
        return self._handle is None or _taken(self._handle, fcntl.LOCK_SH)

    def released(self) -> None:
        if self._handle is not None:
            fcntl.flock(self._handle, fcntl.LOCK_UN)

    def offered(self, *, breath_s: float = 0.005) -> bool:
        """Releases the share briefly, for a film that waits for it; returns whether it is held again."""
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
    """Take the lock unless another process holds it; returns whether it is taken."""
    try:
        fcntl.flock(handle, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
