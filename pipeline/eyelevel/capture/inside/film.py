"""The film: ffmpeg grabs the screen and reports every frame while it films.

One ffmpeg reads the screen once and has three outputs of the very same frames: one line per grab with its time and a
hash of its pixels, read here as it films; the lossless film (film.mkv), which holds a frame only where the picture
changed; and the pixels of those frames, for the program that computes the metrics meanwhile. Nothing is decoded again,
and a picture that stands still costs no encoding.

**What changed.** The filter of eyelevel.filters drops a frame that equals the one before. Frames kept are exactly those
whose hash differs from that of the one before; so the lines tell which they are, and when they came.

**Zero.** Each frame is stamped with the wall clock as it is grabbed (`-use_wallclock_as_timestamps`), and navigation
start is `performance.timeOrigin`, the same clock as the browser reads it. The difference is a frame's time since
navigation start. That needs no marker in the picture, so the screen can be white from navigation start until the
page's first paint, as a viewer should see it: Chromium keeps the old page on the screen until the new one paints, and
an orange marker page would be in every clip. An orange page is still shown, before the white one: its going away, timed
by the page and seen in the film, bounds how far the two clocks are apart (see lead.py).
"""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from time import time

from eyelevel.capture.inside.display import FIRST_IN_LINE
from eyelevel.capture.inside.frames import Frame, parse_framehash
from eyelevel.capture.inside.request import Cause, VoidError
from eyelevel.capture.inside.watcher import OnParts, Watched, Watcher
from eyelevel.filters import distinct

STOP_S = 20
INTERRUPTED = 255  # ffmpeg's status where a signal ended it in good order


class Film:
    """A film in the making; `frames` grows while it runs."""

    def __init__(
        self,
        process: asyncio.subprocess.Process,
        watched: Watched | None,
        on_frame: Callable[[Frame, bool], None],
    ) -> None:
        self.frames: list[Frame] = []
        self._process = process
        self._watched = watched
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
        """End the film properly: interrupted, ffmpeg writes out what it holds. (A q on its input it sees later.)"""
        if self._process.returncode is None:
            self._process.send_signal(signal.SIGINT)
        await asyncio.wait_for(self._reading, STOP_S)
        status = await asyncio.wait_for(self._process.wait(), STOP_S)
        if status not in {0, INTERRUPTED}:
            raise VoidError(Cause.PROCESS_DIED, f"ffmpeg ended with status {status}")
        if self._watched is not None:
            await self._watched.read()

    async def measure(self, folder: Path) -> None:
        """Have its metrics written into its folder, where frames.json is, after its end; only if it is watched."""
        if self._watched is not None:
            await self._watched.measure(folder)

    async def _read(self) -> None:
        assert self._process.stdout is not None  # noqa: S101 - film() asks for a pipe
        while line := await self._process.stdout.readline():
            frame = parse_framehash(line.decode())
            if frame is not None:
                differs = bool(self.frames) and self.frames[-1].checksum != frame.checksum
                self.frames.append(frame)
                self._on_frame(frame, differs)
                self._arrived.set()
        self._arrived.set()


def arguments(
    screen: str, *, width_px: int, height_px: int, frame_rate: int, path: Path, pixels: int | None, now_s: float
) -> list[str]:
    """The command line. The film's own timestamps count from about `now_s`; the exact ones are in frames.json.

    `pixels` is the file descriptor that gets the changed frames: planes of green, blue and red, one byte a value.
    """
    kept = "[kept]split=outputs=2[film][pixels]" if pixels is not None else "[kept]null[film]"
    filters = (
        f"[0:v]format=pix_fmts=gbrp,split=outputs=2[grabs][look];[look]{distinct(width_px, height_px)}[kept];{kept}"
    )
    common = ["-fps_mode", "passthrough", "-enc_time_base", "1:1000000"]
    return [
        *FIRST_IN_LINE, "ffmpeg", "-hide_banner", "-loglevel", "error", "-y", "-copyts",
        "-f", "x11grab", "-use_wallclock_as_timestamps", "1", "-thread_queue_size", "64", "-framerate", str(frame_rate),
        "-draw_mouse", "0", "-video_size", f"{width_px}x{height_px}", "-i", screen, "-filter_complex", filters,
        "-map", "[film]", *common, "-c:v", "libx264rgb", "-crf", "0", "-preset", "ultrafast", "-threads", "2",
        "-pix_fmt", "bgr0", "-output_ts_offset", f"-{now_s:.3f}", str(path),
        *(["-map", "[pixels]", *common, "-c:v", "rawvideo", "-f", "rawvideo", f"pipe:{pixels}"] if pixels else []),
        "-map", "[grabs]", *common, "-c:v", "rawvideo", "-flush_packets", "1",
        "-f", "framehash", "-hash", "murmur3", "-format_version", "2", "pipe:1",
    ]  # fmt: skip


@asynccontextmanager
async def film(
    screen: str,
    *,
    width_px: int,
    height_px: int,
    frame_rate: int,
    path: Path,
    watching: Watcher | None,
    counted: Path,
    mask: str | None = None,
    on_frame: Callable[[Frame, bool], None],
    on_parts: OnParts = lambda _: None,
    enter: Sequence[str] = (),
) -> AsyncIterator[Film]:
    """Film the screen into `path`; `on_frame` gets each frame and whether it differs from the one before.

    `watching` reads the changed frames' pixels while the film runs, and leaves in `counted` what it makes of them;
    `mask` is the file with the page's motion mask, and `on_parts` gets what changed in each frame, if it has regions.
    `enter` goes before the command where the screen is in namespaces of its own (see sandbox.py).
    """
    size = {"width_px": width_px, "height_px": height_px}
    async with AsyncExitStack() as ending:
        watched = None
        if watching is not None:
            watched = await watching.watch(**size, to=counted, mask=mask, on_parts=on_parts)
            ending.push_async_callback(watched.give_up)
        pixels = watched.pixels if watched else None
        command = arguments(screen, **size, frame_rate=frame_rate, path=path, pixels=pixels, now_s=time())
        process = await asyncio.create_subprocess_exec(
            *enter,
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            pass_fds=[] if pixels is None else [pixels],
        )
        if watched is not None:
            watched.hand_over()
        running = Film(process, watched, on_frame)
        try:
            yield running
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()
