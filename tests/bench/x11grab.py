"""ffmpeg's x11grab as Eyelevel filmed with it until November 2026: the peer of the recorder."""

import asyncio
import signal
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from eyelevel.filters import distinct

COMMON = ["-fps_mode", "passthrough", "-enc_time_base", "1:1000000"]


class Grabs:
    """A film in the making. `shown_ms` are the times, since 1970, of the grabs that differ from the one before."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.count = 0
        self.shown_ms: list[float] = []
        self._last = ""
        self._reading = asyncio.create_task(self._read())

    async def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)
        await asyncio.wait_for(self._reading, 20)
        await self.process.wait()

    async def _read(self) -> None:
        assert self.process.stdout is not None
        while line := (await self.process.stdout.readline()).decode():
            if line.startswith("#"):
                continue
            parts = [part.strip() for part in line.split(",")]
            self.count += 1
            if parts[5] != self._last:
                self.shown_ms.append(int(parts[2]) / 1000)
                self._last = parts[5]


@asynccontextmanager
async def grabbed(screen: str, *, width_px: int, height_px: int, frame_rate: int, path: Path) -> AsyncIterator[Grabs]:
    filters = f"[0:v]format=pix_fmts=gbrp,split=outputs=2[grabs][look];[look]{distinct(width_px, height_px)},null[film]"
    process = await asyncio.create_subprocess_exec(
        "ffmpeg", "-hide_banner", "-loglevel", "error", "-y", "-copyts",
        "-f", "x11grab", "-use_wallclock_as_timestamps", "1", "-thread_queue_size", "64", "-framerate", str(frame_rate),
        "-draw_mouse", "0", "-video_size", f"{width_px}x{height_px}", "-i", screen, "-filter_complex", filters,
        "-map", "[film]", *COMMON, "-c:v", "libx264rgb", "-crf", "0", "-preset", "ultrafast", "-threads", "2",
        "-pix_fmt", "bgr0", "-output_ts_offset", f"-{time.time():.3f}", str(path),
        "-map", "[grabs]", *COMMON, "-c:v", "rawvideo", "-flush_packets", "1",
        "-f", "framehash", "-hash", "murmur3", "-format_version", "2", "pipe:1",
        stdin=DEVNULL, stdout=PIPE,
    )  # fmt: skip
    grabs = Grabs(process)
    try:
        while not grabs.count:
            await asyncio.sleep(0.02)
        yield grabs
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
