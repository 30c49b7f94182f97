"""One watcher reads film after film; one that dies, or was left with half a film, is started anew."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from eyelevel.capture.inside.request import Cause, VoidError
from eyelevel.capture.inside.watcher import Watcher, watcher

WIDTH_PX, HEIGHT_PX = 64, 48
FRAME = bytes(3 * WIDTH_PX * HEIGHT_PX)
MEASURE = [sys.executable, "-m", "eyelevel.measure.watch"]


async def show(watching: Watcher, length: float, to: Path) -> None:
    """A film of so many frames, watched to its end."""
    watched = await watching.watch(width_px=WIDTH_PX, height_px=HEIGHT_PX, to=to)
    os.write(watched.pixels, FRAME * int(length) + FRAME[: int(length % 1 * len(FRAME))])
    watched.hand_over()
    try:
        await watched.read()
    finally:
        await watched.give_up()


async def films(folder: Path, *lengths: float) -> list[int]:
    """Watches films in turn, by one watcher; how large the files are that it left."""
    async with watcher(MEASURE) as watching:
        assert watching is not None
        for number, length in enumerate(lengths):
            await show(watching, length, folder / str(number))
    return [(folder / str(number)).stat().st_size for number in range(len(lengths))]


def test_films_are_watched_in_turn(tmp_path: Path) -> None:
    two, one, none = asyncio.run(films(tmp_path, 2, 1, 0))
    assert none == 0
    assert two == 2 * one > 0


def test_a_torn_frame_is_the_end_of_the_watcher_and_told(tmp_path: Path) -> None:
    with pytest.raises(VoidError, match="the watcher of the film ended before its film") as caught:
        asyncio.run(films(tmp_path, 1, 1.5))
    assert caught.value.cause is Cause.PROCESS_DIED


def test_a_film_that_was_broken_off_is_not_taken_for_the_next_one_which_waits_for_that(tmp_path: Path) -> None:
    async def broken_off() -> None:
        async with watcher(MEASURE) as watching:
            assert watching is not None
            first = await watching.watch(width_px=WIDTH_PX, height_px=HEIGHT_PX, to=tmp_path / "first")
            second = asyncio.create_task(show(watching, 1, tmp_path / "second"))
            await asyncio.sleep(0.1)
            assert not second.done()
            await first.give_up()
            await asyncio.wait_for(second, 20)

    asyncio.run(broken_off())
    assert (tmp_path / "second").stat().st_size > 0


def test_no_command_is_no_watcher() -> None:
    async def none() -> None:
        async with watcher([]) as watching:
            assert watching is None

    asyncio.run(none())
