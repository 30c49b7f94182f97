"""Tests that a `quiet` test runs alone and is not postponed for ever."""

import threading
from contextlib import ExitStack
from pathlib import Path

import pytest
from quiet import turn

SOON_S = 0.3
LATE_S = 20.0


class Places:
    """Locks of a test's own, as the test itself holds those of the suite."""

    def __init__(self, folder: Path) -> None:
        self.room, self.door = folder / "room", folder / "door"
        self.room.touch()
        self.door.touch()

    def enter(self, *, alone: bool) -> ExitStack:
        """Take a turn; `close()` ends it."""
        held = ExitStack()
        held.enter_context(turn(alone=alone, room=self.room, door=self.door))
        return held

    def enter_in_thread(self, *, alone: bool) -> threading.Event:
        """Take a turn in a thread, and end it at once; the event says that it came."""
        came = threading.Event()

        def run() -> None:
            with self.enter(alone=alone):
                came.set()

        threading.Thread(target=run, daemon=True).start()
        return came


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path)


def test_other_tests_run_beside_each_other(places: Places) -> None:
    with places.enter(alone=False):
        assert places.enter_in_thread(alone=False).wait(LATE_S)


@pytest.mark.parametrize(("first", "second"), [(True, False), (False, True), (True, True)])
def test_nothing_runs_beside_one_that_must_be_alone(places: Places, *, first: bool, second: bool) -> None:
    with places.enter(alone=first):
        came = places.enter_in_thread(alone=second)
        assert not came.wait(SOON_S)
    assert came.wait(LATE_S)


def test_one_that_must_be_alone_goes_before_those_that_come_later(places: Places) -> None:
    """Otherwise it would wait for as long as there is always another test under way."""
    with places.enter(alone=False):
        alone = places.enter_in_thread(alone=True)
        assert not alone.wait(SOON_S)
        later = places.enter_in_thread(alone=False)
        assert not later.wait(SOON_S)
    assert alone.wait(LATE_S)
    assert later.wait(LATE_S)
