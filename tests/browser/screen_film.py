"""Starts a virtual screen and films a part of it, with the wall-clock time of every frame."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from eyelevel.video import frame_times_ms

FRAME_RATE = 60
MARGIN_PX = 16
READY_S = 20.0


@dataclass(frozen=True)
class Part:
    """Of the screen, in its pixels."""

    x: int
    y: int
    width_px: int
    height_px: int


@dataclass
class ScreenFilm:
    """A film of the screen; once it is stopped, `times_ms` are its frames' times of the wall's clock."""

    path: Path
    begun_s: float
    process: "subprocess.Popen[bytes]"

    def stop(self) -> list[float]:
        self.process.send_signal(signal.SIGINT)
        # 255 where a signal ended it in good order
        assert self.process.wait(60) in {0, 255}
        return self.times_ms()

    def times_ms(self) -> list[float]:
        first_ms = self.begun_s * 1000 + self._first_ms()
        return [first_ms + ms for ms in frame_times_ms(self.path)]

    def _first_ms(self) -> float:
        command = ["ffprobe", "-v", "error", "-show_entries", "packet=pts_time", "-of", "csv=p=0", str(self.path)]
        printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        return min(float(line.rstrip(",")) for line in printed) * 1000


@contextmanager
def screen(width_px: int, height_px: int) -> Iterator[str]:
    """Xvfb on whichever display number is free; its name, such as ":3"."""
    reader, writer = os.pipe()
    server = subprocess.Popen(
        [
            *("Xvfb", "-displayfd", str(writer), "-screen", "0"),
            f"{width_px + MARGIN_PX}x{height_px + MARGIN_PX}x24",
            *("-nolisten", "tcp", "-noreset", "-nocursor", "-dpi", "96"),
        ],
        pass_fds=[writer],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(writer)
    try:
        with os.fdopen(reader) as pipe:
            number = pipe.readline().strip()
        assert number, "Xvfb ended before it had a display"
        yield f":{number}"
    finally:
        server.terminate()
        server.wait(READY_S)


@contextmanager
def filming(display: str, part: Part, path: Path) -> Iterator[ScreenFilm]:
    """Films a part of the screen without loss; every frame is stamped as it is grabbed.

    `path` ends in .nut: this form keeps microseconds, and two frames may come within a millisecond.
    """
    begun_s = float(int(time.time()))
    command = [
        *("nice", "-n", "-15", "ffmpeg", "-hide_banner", "-loglevel", "error", "-y", "-copyts", "-f", "x11grab"),
        *("-use_wallclock_as_timestamps", "1", "-thread_queue_size", "64", "-framerate", str(FRAME_RATE)),
        *("-draw_mouse", "0", "-video_size", f"{part.width_px}x{part.height_px}", "-i", f"{display}+{part.x},{part.y}"),
        *("-fps_mode", "passthrough", "-enc_time_base", "1:1000000", "-c:v", "libx264rgb", "-crf", "0"),
        *(
            "-preset",
            "ultrafast",
            "-threads",
            "2",
            "-pix_fmt",
            "bgr0",
            "-output_ts_offset",
            f"-{begun_s:.0f}",
            str(path),
        ),
    ]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    try:
        yield ScreenFilm(path, begun_s, process)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
