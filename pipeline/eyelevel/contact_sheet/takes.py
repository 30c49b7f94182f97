"""The takes of a batch folder, by scene and stack, and small pictures of their films."""

import subprocess
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from PIL import Image

from eyelevel.errors import BadInputError
from eyelevel.video import last_line, program
from eyelevel_core.batch_folder import BatchFolder, FilmedTake
from eyelevel_core.batch_folder.takes import filmed

# site, network, cache
Scene = tuple[str, str, str]
# a stack with its takes, by run
Row = tuple[str, list[FilmedTake]]


def read_scenes(batch: Path) -> list[tuple[Scene, list[Row]]]:
    """Returns the scenes with their stacks and takes, sorted by name and run; raises ContractError if there are none.

    Only take.json and frames.json are checked.
    """
    takes = [filmed(take) for take in BatchFolder(batch).takes()]
    takes.sort(key=lambda take: (_scene(take), take.stack, take.run))
    return [
        (scene, [(stack, list(runs)) for stack, runs in groupby(group, key=lambda take: take.stack)])
        for scene, group in groupby(takes, key=_scene)
    ]


def _scene(take: FilmedTake) -> Scene:
    return take.site, take.network, take.cache


def thumbnails(film: Path, frames: Sequence[int], *, width_px: int, height_px: int) -> list[Image.Image]:
    """Returns a picture per entry of `frames`, indices of stored frames; raises BadInputError for a damaged film."""
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
