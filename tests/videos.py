"""Tiny real videos with distinct bytes."""

import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from batches import DURATION_MS, FRAME_RATE, HEIGHT_PX, WIDTH_PX


def ffmpeg_is_here() -> bool:
    return shutil.which("ffmpeg") is not None and shutil.which("ffprobe") is not None


def real_video(number: int) -> bytes:
    """H.264 in MP4 without metadata, one plain colour per number."""
    return encode(number, "-c:v", "libx264", "-preset", "ultrafast")


@cache
def encode(number: int, *options: str) -> bytes:
    """A video of one colour, encoded with these options of ffmpeg."""
    colour = (
        f"color=c=0x{(number * 37 + 11) % 256:02x}8040:s={WIDTH_PX}x{HEIGHT_PX}:r={FRAME_RATE}:d={DURATION_MS / 1000}"
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "clip.mp4"
        command = ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", colour, *options]
        # the number makes the bytes differ where colours do not: a timescale changes nothing that is shown
        command += ["-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact"]
        command += ["-video_track_timescale", str(10000 + 10 * number), str(path)]
        subprocess.run(command, check=True)
        return path.read_bytes()
