"""The film: ffmpeg grabs the screen, and tells of every frame while it films.

One ffmpeg reads the screen once and has two outputs of the very same frames: the lossless film (film.mkv), and one line
per frame with its time and a checksum of its pixels, read here as it films. The lines say when a frame changed, without
decoding anything again.

**Zero.** Each frame is stamped with the wall clock as it is grabbed (`-use_wallclock_as_timestamps`), and navigation
start is `performance.timeOrigin`, the same clock as the browser reads it. The difference is a frame's time since
navigation start. That needs no marker in the picture, so the screen can be white from navigation start until the
page's first paint, as a viewer should see it: Chromium keeps the old page on the screen until the new one paints, and
an orange marker page would be in every clip. An orange page is still shown, before the white one: its going away, timed
by the page and seen in the film, bounds how far the two clocks are apart (`zero_error_ms`, see load.py).
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from time import time

from eyelevel.capture.inside.display import FIRST_IN_LINE
from eyelevel.capture.inside.frames import Frame, parse_framecrc
from eyelevel.capture.inside.request import Cause, VoidError

STOP_S = 20


class Film:
    """A film in the making; `frames` grows while it runs."""

    def __init__(self, process: asyncio.subprocess.Process, on_frame: Callable[[Frame, bool], None]) -> None:
        self.frames: list[Frame] = []
        self._process = process
        self._on_frame = on_frame
        self._arrived = asyncio.Event()
        self._reading = asyncio.create_task(self._read())

    async def next_frame(self, timeout_s: float = 10) -> Frame:
        """The next frame to be grabbed; VoidError if ffmpeg has ended or gives none in time."""
        self._arrived.clear()
        try:
            await asyncio.wait_for(self._arrived.wait(), timeout_s)
        except TimeoutError:
            raise VoidError(Cause.PROCESS_DIED, f"ffmpeg gave no frame for {timeout_s:g} s") from None
        if self._reading.done():
            raise VoidError(Cause.PROCESS_DIED, f"ffmpeg ended with status {self._process.returncode} while filming")
        return self.frames[-1]

    async def stop(self) -> None:
        """End the film properly: ffmpeg takes a q, and writes out what it holds."""
        if self._process.stdin is not None and self._process.returncode is None:
            self._process.stdin.write(b"q")
            self._process.stdin.close()
        await asyncio.wait_for(self._reading, STOP_S)
        status = await asyncio.wait_for(self._process.wait(), STOP_S)
        if status != 0:
            raise VoidError(Cause.PROCESS_DIED, f"ffmpeg ended with status {status}")

    async def _read(self) -> None:
        assert self._process.stdout is not None  # noqa: S101 - film() asks for a pipe
        while line := await self._process.stdout.readline():
            frame = parse_framecrc(line.decode())
            if frame is not None:
                differs = bool(self.frames) and self.frames[-1].checksum != frame.checksum
                self.frames.append(frame)
                self._on_frame(frame, differs)
                self._arrived.set()
        self._arrived.set()


def arguments(screen: str, *, width_px: int, height_px: int, frame_rate: int, path: Path, now_s: float) -> list[str]:
    """The command line. The film's own timestamps count from about `now_s`; the exact ones are in frames.json."""
    common = ["-map", "0:v", "-fps_mode", "passthrough", "-enc_time_base", "1:1000000"]
    return [
        *FIRST_IN_LINE, "ffmpeg", "-hide_banner", "-loglevel", "error", "-y", "-copyts",
        "-f", "x11grab", "-use_wallclock_as_timestamps", "1", "-thread_queue_size", "64", "-framerate", str(frame_rate),
        "-draw_mouse", "0", "-video_size", f"{width_px}x{height_px}", "-i", screen,
        *common, "-c:v", "libx264rgb", "-crf", "0", "-preset", "ultrafast", "-threads", "2",
        "-output_ts_offset", f"-{now_s:.3f}", str(path),
        *common, "-c:v", "rawvideo", "-flush_packets", "1", "-f", "framecrc", "pipe:1",
    ]  # fmt: skip


@asynccontextmanager
async def film(
    screen: str, *, width_px: int, height_px: int, frame_rate: int, path: Path, on_frame: Callable[[Frame, bool], None]
) -> AsyncIterator[Film]:
    """Film the screen into `path`; `on_frame` gets each frame and whether it differs from the one before."""
    process = await asyncio.create_subprocess_exec(
        *arguments(screen, width_px=width_px, height_px=height_px, frame_rate=frame_rate, path=path, now_s=time()),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    running = Film(process, on_frame)
    try:
        yield running
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
