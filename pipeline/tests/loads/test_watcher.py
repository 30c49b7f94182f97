"""One watcher reads film after film; one that dies, or was left with half a film, is started anew."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from eyelevel.loads.inside.autogroup import BEHIND, FIRST, can_hold_back
from eyelevel.loads.inside.filming import watcher as watching_module
from eyelevel.loads.inside.filming.watcher import Watched, Watcher, watcher
from eyelevel.loads.inside.request import COUNTED, Cause, VoidError
from eyelevel.measure.changes import Changed
from eyelevel_core.batch_folder.masks import write_mask
from eyelevel_core.model.device import Viewport
from eyelevel_core.model.mask import RULES, Mask, ProbeLoad, Region, drawn
from tests.changes_file import needs_recorder, recorded

WIDTH_PX, HEIGHT_PX = 64, 48
MEASURE = [sys.executable, "-m", "eyelevel.measure.watch"]
# watches one film, and ends when it is asked for more
DEAF = """
import socket
line = socket.socket(fileno=0)
line.recv(1 << 16)
line.send(b'{"frames": 1}')
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
        await watched.read(length)
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
        autogroup = Path(f"/proc/{watching._process.pid}/autogroup")
        found = [autogroup.read_text()]
        await watched.read(1)
        found.append(autogroup.read_text())
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
    async def failure() -> VoidError:
        async with watcher(MEASURE) as watching:
            assert watching is not None
            with pytest.raises(VoidError) as caught:
                await show(watching, 0, tmp_path / "none")
            await asyncio.wait_for(show(watching, 1, tmp_path / "one"), 20)
            return caught.value

    void = asyncio.run(failure())
    assert (void.cause, void.detail) == (
        Cause.BROKEN_RESULT,
        f"{tmp_path}/none/film.mkv cannot be measured: there are no frames.",
    )
    assert (tmp_path / "one" / "progress.json").exists()


def test_a_watcher_that_is_gone_before_it_has_measured_is_reported(tmp_path: Path) -> None:
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


def test_frames_after_the_end_are_read_and_not_measured(tmp_path: Path) -> None:
    async def cut() -> None:
        async with watcher(MEASURE) as watching:
            assert watching is not None
            (tmp_path / "film").mkdir()
            (tmp_path / "film" / "frames.json").write_text(json.dumps({"times_ms": [0, 1000], "end_ms": 1500}))
            frames = [[grey(number + 1)] for number in range(4)]
            changes = recorded(tmp_path / "film" / "changes", frames, width_px=WIDTH_PX, height_px=HEIGHT_PX)
            watched = await watching.watch(
                changes, width_px=WIDTH_PX, height_px=HEIGHT_PX, to=tmp_path / "film" / COUNTED
            )
            await watched.read(4)
            await watched.measure(tmp_path / "film")

    asyncio.run(cut())
    metrics = json.loads((tmp_path / "film" / "progress.json").read_text())
    assert (metrics["lvc_ms"], len(metrics["progress"])) == (1000, 2)


async def growing(folder: Path, watching: Watcher) -> Watched:
    """A film of one frame that the recorder has not ended."""
    file = recorded(folder / "changes", [[grey(1)]], width_px=WIDTH_PX, height_px=HEIGHT_PX)
    file.write_bytes(file.read_bytes()[:-29])
    return await watching.watch(file, width_px=WIDTH_PX, height_px=HEIGHT_PX, to=folder / COUNTED)


def test_a_watcher_that_dies_is_noticed_while_the_film_is_made(tmp_path: Path) -> None:
    async def dies() -> None:
        async with watcher(MEASURE) as watching:
            assert watching is not None
            watched = await growing(tmp_path, watching)
            watched.check()
            assert watching._process is not None
            watching._process.kill()
            await watching._process.wait()
            for _ in range(100):
                await asyncio.sleep(0.02)
                watched.check()

    with pytest.raises(VoidError, match="the watcher of the film ended before its film") as caught:
        asyncio.run(dies())
    assert caught.value.cause is Cause.PROCESS_DIED


def test_only_a_watcher_that_reads_no_more_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may take many times as long as it may be silent."""
    monkeypatch.setattr(watching_module, "SILENT_S", 0.4)

    async def slow(frames: int, *, end: bool) -> None:
        """A frame every 0.2 s."""
        file = tmp_path / str(end)
        whole = recorded(
            tmp_path / "whole", [[grey(number + 1)] for number in range(frames)], width_px=WIDTH_PX, height_px=HEIGHT_PX
        ).read_bytes()
        head = 12
        each = (len(whole) - head - 29) // frames
        async with watcher(MEASURE) as watching:
            assert watching is not None
            file.write_bytes(whole[: head + each])
            watched = await watching.watch(file, width_px=WIDTH_PX, height_px=HEIGHT_PX, to=tmp_path / COUNTED)
            await asyncio.sleep(1.5)  # it has started
            reading = asyncio.create_task(watched.read(frames))
            for number in range(2, frames + 1):
                await asyncio.sleep(0.2)
                with file.open("ab") as grown:
                    grown.write(whole[head + each * (number - 1) : head + each * number])
            if end:
                with file.open("ab") as grown:
                    grown.write(whole[-29:])
            try:
                await reading
            finally:
                await watched.give_up()

    asyncio.run(slow(8, end=True))
    with pytest.raises(VoidError, match=r"has read no frame for 0\.4 s"):
        asyncio.run(slow(3, end=False))


def test_no_command_is_no_watcher() -> None:
    async def none() -> None:
        async with watcher([]) as watching:
            assert watching is None

    asyncio.run(none())


def test_what_changed_in_each_frame_is_told_where_the_page_has_moving_regions(tmp_path: Path) -> None:
    """The first frame has all parts; then the region alone changes, then the rest."""
    tiles = frozenset({(0, 0)})
    mask = Mask(
        recording="ab" * 32, start_url="https://garden.example/", start_url_given=False,
        viewport=Viewport(WIDTH_PX, HEIGHT_PX), tile_px=16,
        threshold=8, rules=RULES, loads=(ProbeLoad("TCP+", 1, 80.0, 580.0, 30_580.0, 1),),
        rows=drawn(tiles, (4, 3)), regions=(Region(1, (0, 0, 16, 16), 4.0, 0.0),), not_painting=(), timed=(),
        masked_share=0.083333, animated=False,
    )  # fmt: skip
    write_mask(mask, tmp_path / "mask.json")
    dot = np.full((2, 2, 4), [9, 9, 9, 0], np.uint8)
    frames = [[grey(1)], [Changed(3, 3, dot)], [Changed(60, 40, dot)]]

    async def parts_changed() -> list[list[int]]:
        found: list[list[int]] = []
        async with watcher(MEASURE) as watching:
            assert watching is not None
            watched = await watching.watch(
                recorded(tmp_path / "changes", frames, width_px=WIDTH_PX, height_px=HEIGHT_PX),
                width_px=WIDTH_PX, height_px=HEIGHT_PX, to=tmp_path / COUNTED, mask=str(tmp_path / "mask.json"),
                on_parts=lambda parts: found.append([part for part, _ in parts]),
            )  # fmt: skip
            try:
                await watched.read(3)
            finally:
                await watched.give_up()
        return found

    assert asyncio.run(parts_changed()) == [[0, 1], [1], [0]]
