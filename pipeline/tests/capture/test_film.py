"""A screen is filmed while its picture changes: the film, its times and what was counted meanwhile agree."""

import asyncio
import os
import shutil
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from eyelevel.capture.inside.display import display
from eyelevel.capture.inside.film import film
from eyelevel.capture.inside.frames import Frame, stored
from eyelevel.capture.inside.watcher import watcher
from eyelevel.measure.film import measure_film
from eyelevel.measure.metrics import of_histograms
from eyelevel.measure.parts import stored as spooled

WIDTH_PX, HEIGHT_PX = 320, 240
PICTURES = ["-f", "lavfi", "-i", "testsrc=size=320x240:rate=8:duration=1"]


async def take(folder: Path) -> tuple[list[Frame], list[bool]]:
    """Films a player for a while; the grabs, and for each whether it was told to differ from the one before."""
    told = []
    async with (
        watcher([sys.executable, "-m", "eyelevel.measure.watch"]) as watching,
        display(WIDTH_PX, HEIGHT_PX) as screen,
        film(
            screen,
            width_px=WIDTH_PX,
            height_px=HEIGHT_PX,
            frame_rate=30,
            path=folder / "film.mkv",
            watching=watching,
            counted=folder / "counted",
            on_frame=lambda _, differs: told.append(differs),
        ) as running,
    ):
        await running.next_frame()
        player = await asyncio.create_subprocess_exec(
            "ffplay", "-loglevel", "quiet", "-autoexit", "-noframedrop", "-noborder", "-left", "0", "-top", "0",
            *PICTURES,
            env={**os.environ, "DISPLAY": screen, "SDL_AUDIODRIVER": "dummy"},
        )  # fmt: skip
        await asyncio.wait_for(player.wait(), 30)
        await running.stop()
    return running.frames, told


@pytest.mark.browser
@pytest.mark.realtime
@pytest.mark.skipif(shutil.which("ffplay") is None, reason="ffplay is not installed")
def test_the_film_holds_the_grabs_that_changed_and_was_measured_while_it_was_made(tmp_path: Path) -> None:
    grabs, told = asyncio.run(take(tmp_path))
    kept = stored(grabs)
    assert len(kept) > 4
    assert told == [False, *(one.checksum != other.checksum for one, other in pairwise(grabs))]
    times_ms = [round(frame.time_ms - kept[0].time_ms, 3) for frame in kept]
    with spooled(tmp_path / "counted") as histograms:
        meanwhile = of_histograms(times_ms, histograms)
    assert meanwhile == measure_film(tmp_path / "film.mkv", times_ms)
    assert len(meanwhile.progress) == len(kept)
