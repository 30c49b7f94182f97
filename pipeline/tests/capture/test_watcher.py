"""One watcher reads film after film; one that dies, or was left with half a film, is started anew."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from eyelevel.capture.inside.autogroup import BEHIND, FIRST, can_hold_back
from eyelevel.capture.inside.request import COUNTED, Cause, VoidError
from eyelevel.capture.inside.watcher import Watcher, watcher
from eyelevel.measure.changes import Changed
from eyelevel_core.batch_folder.masks import write_mask
from eyelevel_core.model.mask import RULES, Mask, ProbeLoad, Region, drawn
from eyelevel_core.model.take import Viewport
from tests.changes_file import needs_recorder, recorded

WIDTH_PX, HEIGHT_PX = 64, 48
MEASURE = [sys.executable, "-m", "eyelevel.measure.watch"]
# watches one film, and ends when it is asked for more
DEAF = """
import socket
line = socket.socket(fileno=0)
line.recv(1 << 16)
line.send(b"{}")
line.recv(1 << 16)
"""
pytestmark = needs_recorder


def grey(value: int) -> Changed:
    return Changed(0, 0, np.full((HEIGHT_PX, WIDTH_PX, 4), [value, value, value, 0], np.uint8))


async def show(watching: Watcher, length: int, to: Path, *, end: bytes = b"E") -> None:
    """A film of so many frames, watched to its end and measured; a second each, the first at navigation."""
    to.mkdir()
    times = {"times_ms": [1000 * number for number in range(length)]}
    (to / "frames.json").write_text(json.dumps(times))
    frames = [[grey(number + 1)] for number in range(length)]
    changes = recorded(to / "changes", frames, width_px=WIDTH_PX, height_px=HEIGHT_PX, end=end)
    watched = await watching.watch(changes, width_px=WIDTH_PX, height_px=HEIGHT_PX, to=to / COUNTED)
    try:
        await watched.read()
        await watched.measure(to)
    finally:
        await watched.give_up()


async def films(folder: Path, *lengths: int) -> list[Any]:
    """Watches films in turn, by one watcher; the progress that it left of each."""
    async with watcher(MEASURE) as watching:
        assert watching is not None
        for number, length in enumerate(lengths):
            await show(watching, length, folder / str(number))
    return [
        json.loads((folder / str(number) / "progress.json").read_text())["progress"] for number in range(len(lengths))
    ]


async def weights(folder: Path) -> list[int]:
    """Of the watcher's session: while it watches a film, and when somebody has waited for its end."""
    async with watcher(MEASURE) as watching:
        assert watching is not None
        changes = recorded(folder / "changes", [[grey(1)]], width_px=WIDTH_PX, height_px=HEIGHT_PX)
        watched = await watching.watch(changes, width_px=WIDTH_PX, height_px=HEIGHT_PX, to=folder / COUNTED)
        assert watching._process is not None
        told = Path(f"/proc/{watching._process.pid}/autogroup")
        found = [told.read_text()]
        await watched.read()
        found.append(told.read_text())
        await watched.give_up()
    return [int(text.split()[-1]) for text in found]


@pytest.mark.root
@pytest.mark.skipif(not can_hold_back(), reason="this kernel does not weigh sessions")
def test_the_watcher_is_behind_the_browser_until_somebody_waits_for_it(tmp_path: Path) -> None:
    assert asyncio.run(weights(tmp_path)) == [BEHIND, FIRST]


def test_films_are_watched_and_measured_in_turn(tmp_path: Path) -> None:
    two, one = asyncio.run(films(tmp_path, 2, 1))
    assert [ms for ms, _ in two] == [0, 1000]
    assert [ms for ms, _ in one] == [0]


def test_what_cannot_be_measured_is_told_and_the_next_film_is(tmp_path: Path) -> None:
    async def told() -> VoidError:
        async with watcher(MEASURE) as watching:
            assert watching is not None
            with pytest.raises(VoidError) as caught:
                await show(watching, 0, tmp_path / "none")
            await asyncio.wait_for(show(watching, 1, tmp_path / "one"), 20)
            return caught.value

    void = asyncio.run(told())
    assert (void.cause, void.detail) == (
        Cause.BROKEN_RESULT,
        f"{tmp_path}/none/film.mkv cannot be measured: there are no frames.",
    )
    assert (tmp_path / "one" / "progress.json").exists()


def test_a_watcher_that_is_gone_before_it_has_measured_is_told(tmp_path: Path) -> None:
    async def killed() -> None:
        async with watcher([*MEASURE[:1], "-c", DEAF]) as watching:
            assert watching is not None
            await show(watching, 1, tmp_path / "film")

    with pytest.raises(VoidError, match="the watcher of the film ended before it had measured it") as caught:
        asyncio.run(killed())
    assert caught.value.cause is Cause.PROCESS_DIED


def test_a_damaged_film_is_the_end_of_the_watcher_and_told(tmp_path: Path) -> None:
    async def damaged() -> None:
        async with watcher(MEASURE) as watching:
            assert watching is not None
            await show(watching, 1, tmp_path / "one")
            await show(watching, 1, tmp_path / "damaged", end=b"?")

    with pytest.raises(VoidError, match="the watcher of the film ended before its film") as caught:
        asyncio.run(damaged())
    assert caught.value.cause is Cause.PROCESS_DIED


def test_a_film_that_was_broken_off_is_not_taken_for_the_next_one_which_waits_for_that(tmp_path: Path) -> None:
    async def broken_off() -> None:
        async with watcher(MEASURE) as watching:
            assert watching is not None
            growing = recorded(tmp_path / "changes", [[grey(1)]], width_px=WIDTH_PX, height_px=HEIGHT_PX)
            growing.write_bytes(growing.read_bytes()[:-10])
            first = await watching.watch(growing, width_px=WIDTH_PX, height_px=HEIGHT_PX, to=tmp_path / "first")
            second = asyncio.create_task(show(watching, 1, tmp_path / "second"))
            await asyncio.sleep(0.1)
            assert not second.done()
            await first.give_up()
            await asyncio.wait_for(second, 20)

    asyncio.run(broken_off())
    assert (tmp_path / "second" / "progress.json").exists()


def test_no_command_is_no_watcher() -> None:
    async def none() -> None:
        async with watcher([]) as watching:
            assert watching is None

    asyncio.run(none())


def test_what_changed_in_each_frame_is_told_where_the_page_has_moving_regions(tmp_path: Path) -> None:
    """The first frame has all parts; then the region alone changes, then the rest."""
    tiles = frozenset({(0, 0)})
    mask = Mask(
        recording="ab" * 32, start_url="https://garden.example/", viewport=Viewport(WIDTH_PX, HEIGHT_PX), tile_px=16,
        threshold=8, rules=RULES, loads=(ProbeLoad("TCP+", 1, 80.0, 580.0, 30_580.0, 1),),
        rows=drawn(tiles, (4, 3)), regions=(Region(1, (0, 0, 16, 16), 4.0, 0.0),), not_painting=(), timed=(),
        masked_share=0.083333, animated=False,
    )  # fmt: skip
    write_mask(mask, tmp_path / "mask.json")
    dot = np.full((2, 2, 4), [9, 9, 9, 0], np.uint8)
    frames = [[grey(1)], [Changed(3, 3, dot)], [Changed(60, 40, dot)]]

    async def told() -> list[list[int]]:
        found: list[list[int]] = []
        async with watcher(MEASURE) as watching:
            assert watching is not None
            watched = await watching.watch(
                recorded(tmp_path / "changes", frames, width_px=WIDTH_PX, height_px=HEIGHT_PX),
                width_px=WIDTH_PX, height_px=HEIGHT_PX, to=tmp_path / COUNTED, mask=str(tmp_path / "mask.json"),
                on_parts=lambda parts: found.append([part for part, _ in parts]),
            )  # fmt: skip
            try:
                await watched.read()
            finally:
                await watched.give_up()
        return found

    assert asyncio.run(told()) == [[0, 1], [1], [0]]
