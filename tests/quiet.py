"""Lets a test marked `quiet` run while no other test of this folder runs, across pytest-xdist workers."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# files of the suite itself serve as locks, so that nothing has to be made or deleted; nobody writes to them
ROOM = Path(__file__)
DOOR = ROOM.with_name("conftest.py")


@contextmanager
def turn(*, alone: bool, room: Path = ROOM, door: Path = DOOR) -> Iterator[None]:
    """Wait until no other test runs if `alone`, else until no test runs that must be alone."""
    with room.open("rb") as held:
        # a test that wants to be alone keeps the door shut while it waits, or others would enter for ever
        with door.open("rb") as shut:
            fcntl.flock(shut, fcntl.LOCK_EX)
            fcntl.flock(held, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        yield
