"""A screen is filmed while its picture changes: the film, its times and what was counted meanwhile agree."""

import asyncio
import os
import shutil
import signal
import sys
from pathlib import Path
from time import time
from types import SimpleNamespace

import pytest

from eyelevel.built import RECORDER
from eyelevel.disk import FLOOR_BYTES, DiskFullError
from eyelevel.loads.inside.filming import film as filming
from eyelevel.loads.inside.filming.display import display
from eyelevel.loads.inside.filming.film import Film, encode, film
from eyelevel.loads.inside.filming.frames import Frame
from eyelevel.loads.inside.filming.watcher import watcher
from eyelevel.loads.inside.request import Cause, VoidError
from eyelevel.measure.film import measure_film
from eyelevel.measure.frozen import of_parts
from eyelevel.measure.parts import stored
from eyelevel.video import frame_times_ms

WIDTH_PX, HEIGHT_PX = 320, 240
PICTURES = ["-f", "lavfi", "-i", "testsrc=size=320x240:rate=8:duration=1"]
pytestmark = [
    pytest.mark.browser,
    pytest.mark.realtime,
    pytest.mark.skipif(not os.access(RECORDER.built, os.X_OK), reason="the recorder is not built (make recorder)"),
]
needs_player = pytest.mark.skipif(shutil.which("ffplay") is None, reason="ffplay is not installed")


async def take(folder: Path, changes: list[Frame]) -> Film:
    """Film a player for a while."""
    async with (
        watcher([sys.executable, "-m", "eyelevel.measure.watch"]) as watching,
        display(WIDTH_PX, HEIGHT_PX) as screen,
        film(
            screen,
            width_px=WIDTH_PX,
            height_px=HEIGHT_PX,
            changes=folder / "changes",
            on_change=changes.append,
        ) as running,
    ):
        assert watching
        running.watch(
            await watching.watch(folder / "changes", width_px=WIDTH_PX, height_px=HEIGHT_PX, to=folder / "counted")
        )
        player = await asyncio.create_subprocess_exec(
            "ffplay", "-loglevel", "quiet", "-autoexit", "-noframedrop", "-noborder", "-left", "0", "-top", "0",
            *PICTURES,
            env={**os.environ, "DISPLAY": screen, "SDL_AUDIODRIVER": "dummy"},
        )  # fmt: skip
        await asyncio.wait_for(player.wait(), 30)
        await running.stop()
    await encode(folder / "changes", folder / "film.mkv", pictures=len(running.frames))
    return running


@needs_player
def test_the_film_holds_each_change_and_was_measured_while_it_was_made(tmp_path: Path) -> None:
    changes: list[Frame] = []
    made = asyncio.run(take(tmp_path, changes))
    assert len(made.frames) > 4
    assert changes == made.frames[1:]
    assert made.frames[-1].time_ms <= made.end.time_ms
    times_ms = [round(frame.time_ms - made.frames[0].time_ms, 3) for frame in made.frames]
    with stored(tmp_path / "counted") as parts:
        meanwhile = of_parts(times_ms, parts, None)
    assert meanwhile == measure_film(tmp_path / "film.mkv", times_ms)
    assert len(meanwhile.progress) == len(made.frames)
    assert frame_times_ms(tmp_path / "film.mkv") == pytest.approx(times_ms, abs=1)


async def held(folder: Path) -> tuple[int, int]:
    """How many frames were reported while the recorder was held and a player ran, and how many in all."""
    async with (
        display(WIDTH_PX, HEIGHT_PX) as screen,
        film(
            screen, width_px=WIDTH_PX, height_px=HEIGHT_PX, changes=folder / "changes", on_change=lambda _: None
        ) as running,
    ):
        with running.held():
            await asyncio.sleep(0.2)  # what was on its way arrives
            before = len(running.frames)
            player = await asyncio.create_subprocess_exec(
                "ffplay", "-loglevel", "quiet", "-autoexit", "-noborder", *PICTURES,
                env={**os.environ, "DISPLAY": screen, "SDL_AUDIODRIVER": "dummy"},
            )  # fmt: skip
            await asyncio.wait_for(player.wait(), 30)
            await running.check()
            meanwhile = len(running.frames) - before
        await running.stop()
        return meanwhile, len(running.frames) - before


@needs_player
def test_a_held_recorder_reports_nothing_and_afterwards_everything(tmp_path: Path) -> None:
    meanwhile, all_told = asyncio.run(held(tmp_path))
    assert meanwhile == 0
    assert all_told > 4


async def filmed(folder: Path, number: signal.Signals) -> None:
    async with (
        display(WIDTH_PX, HEIGHT_PX) as screen,
        film(
            screen,
            width_px=WIDTH_PX,
            height_px=HEIGHT_PX,
            changes=folder / "changes",
            on_change=lambda _: None,
        ) as running,
    ):
        assert abs(running.now_ms() - time() * 1000) < 50
        running._process.send_signal(number)
        for _ in range(10):
            await running.hear(timeout_s=1)


@pytest.mark.parametrize(
    ("number", "why"), [(signal.SIGKILL, "ended with status -9"), (signal.SIGSTOP, "reported nothing for 1 s")]
)
def test_a_recorder_that_dies_or_hangs_voids_the_attempt(tmp_path: Path, number: signal.Signals, why: str) -> None:
    with pytest.raises(VoidError, match=why) as caught:
        asyncio.run(filmed(tmp_path, number))
    assert caught.value.cause is Cause.PROCESS_DIED


def test_a_film_ends_while_there_is_still_some_room_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = iter([2 * FLOOR_BYTES] * 3 + [FLOOR_BYTES - 1] * 20)
    monkeypatch.setattr("eyelevel.disk.shutil.disk_usage", lambda _: SimpleNamespace(free=next(free)))
    with pytest.raises(DiskFullError, match="is full"):
        asyncio.run(filmed(tmp_path, signal.SIGCONT))


def test_an_encoding_ends_while_there_is_still_some_room_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting = tmp_path / "recorder"
    waiting.write_text("#!/bin/sh\nexec sleep 60\n")
    waiting.chmod(0o755)
    monkeypatch.setenv(RECORDER.variable, str(waiting))
    free = iter([FLOOR_BYTES, FLOOR_BYTES - 1])
    monkeypatch.setattr("eyelevel.disk.shutil.disk_usage", lambda _: SimpleNamespace(free=next(free)))
    with pytest.raises(DiskFullError, match="is full"):
        asyncio.run(encode(tmp_path / "changes", tmp_path / "film.mkv", pictures=9))


def test_a_film_of_a_file_that_is_cut_voids_the_attempt(tmp_path: Path) -> None:
    with pytest.raises(VoidError):
        asyncio.run(filmed(tmp_path, signal.SIGKILL))
    with pytest.raises(VoidError, match="could not be encoded") as caught:
        asyncio.run(encode(tmp_path / "changes", tmp_path / "film.mkv", pictures=9))
    assert caught.value.cause is Cause.PROCESS_DIED


def test_nothing_is_left_of_an_encoding_that_is_broken_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = tmp_path / "recorder"
    waiting.write_text(f"#!/bin/sh\necho $$ >{tmp_path}/pid\nexec sleep 60\n")
    waiting.chmod(0o755)
    monkeypatch.setenv(RECORDER.variable, str(waiting))

    async def broken_off() -> None:
        encoding = asyncio.create_task(filming.encode(tmp_path / "changes", tmp_path / "film.mkv", pictures=9))
        while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():
            await asyncio.sleep(0.01)
        encoding.cancel()
        await asyncio.wait([encoding])

    asyncio.run(broken_off())
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)
