"""Extracts small pictures of chosen frames of a film with ffmpeg."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from eyelevel.errors import BadInputError
from eyelevel.video import last_line, program


def thumbnails(film: Path, frames: Sequence[int], *, width_px: int, height_px: int) -> list[Image.Image]:
    """One picture per entry of `frames`, which count stored frames from 0. BadInputError if the film is broken."""
    wanted = sorted(set(frames))
    chosen = "+".join(f"eq(n,{n})" for n in wanted)
    command = [
        *(program("ffmpeg"), "-nostdin", "-loglevel", "error", "-threads", "1", "-i", str(film), "-map", "0:v:0"),
        *("-vf", f"select=expr='{chosen}',scale=width={width_px}:height={height_px}:flags=area"),
        *("-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "rgb24", "pipe:1"),
    ]
    done = subprocess.run(command, capture_output=True, check=False)
    size = width_px * height_px * 3
    if done.returncode != 0 or len(done.stdout) != size * len(wanted):
        raise BadInputError(f"{film} cannot be shown: {last_line(done.stderr)}.")
    pictures = {
        n: Image.frombytes("RGB", (width_px, height_px), done.stdout[i * size : (i + 1) * size])
        for i, n in enumerate(wanted)
    }
    return [pictures[n] for n in frames]
