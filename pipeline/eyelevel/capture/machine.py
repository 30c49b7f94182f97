"""One run at a time on a machine: runs that share processors would measure each other."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

PLACE = Path("/run/eyelevel-capture.lock")


@contextmanager
def alone(place: Path = PLACE, *, waits: Callable[[], None]) -> Iterator[None]:
    """Hold this machine for one run; call `waits` once if another capture holds it, then wait for its run to end.

    The kernel lets go of it however the process ends. Captures that wait for each other take turns by run, so that
    none fails because another was started first.
    """
    handle = os.open(place, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waits()
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
