"""Compute histograms while a film is made: python -m eyelevel.measure.watch WIDTH HEIGHT FILE.

Standard input holds the film's distinct frames as ffmpeg's gbrp: for each, a plane of green, one of blue, one of red,
a byte a value. FILE gets their histograms (see spool.py); what is left to do when the film ends is arithmetic on these.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import numpy as np

from eyelevel.measure.histogram import Planes, histogram_of_planes
from eyelevel.measure.spool import Spool


def watch(stream: IO[bytes], *, width_px: int, height_px: int, to: Path) -> int:
    """Returns how many frames there were; raise ValueError if the last one is torn."""
    with to.open("w+b") as file:
        spool = Spool(file)
        for green, blue, red in frames(stream, width_px=width_px, height_px=height_px):
            spool.add(histogram_of_planes((red, green, blue)))
        return len(spool)


def frames(stream: IO[bytes], *, width_px: int, height_px: int) -> Iterator[Planes]:
    """Three planes of height x width, in the stream's order; the next frame takes their place in memory."""
    planes = np.empty((3, height_px, width_px), np.uint8)
    view = planes.data.cast("B")
    while filled := stream.readinto(view):  # type: ignore[attr-defined]  # every buffered stream has it
        if filled < len(view):
            raise ValueError(f"the film ends after {filled} of {len(view)} bytes of a frame")
        yield planes[0], planes[1], planes[2]


if __name__ == "__main__":
    watch(sys.stdin.buffer, width_px=int(sys.argv[1]), height_px=int(sys.argv[2]), to=Path(sys.argv[3]))
