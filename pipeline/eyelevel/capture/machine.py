"""One run at a time on a machine: runs that share processors would measure each other."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

PLACE = Path("/run/eyelevel-capture.lock")


@contextmanager
def alone(
    place: Path = PLACE, *, waits: Callable[[], None], parts: Callable[[], None] = lambda: None
) -> Iterator[None]:
    """Hold this machine for one run; call `waits` once if another capture holds it, then wait for its run to end.

    `parts` is called before the machine is let go of, if another capture waits for it: whatever is kept for a next run
    has to end then. The kernel lets go of it however the process ends. Captures that wait for each other take turns by
    run, so that none fails because another was started first.
    """
    with _opened(place) as handle, _opened(place.with_suffix(".waiting")) as waiting:
        if not _taken(handle):
            waits()
            fcntl.flock(waiting, fcntl.LOCK_EX)
            fcntl.flock(handle, fcntl.LOCK_EX)
            fcntl.flock(waiting, fcntl.LOCK_UN)
        try:
            yield
        finally:
            if not _taken(waiting):
                parts()


@contextmanager
def _opened(place: Path) -> Iterator[int]:
    handle = os.open(place, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        yield handle
    finally:
        os.close(handle)


def _taken(handle: int) -> bool:
    """Take it, unless somebody else has it."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
