"""Reads ffmpeg's pixel format gbrp: planes of green, blue and red, one byte per value."""

from collections.abc import Iterator
from typing import IO

import numpy as np

from eyelevel.measure.histogram import Planes


def frames(stream: IO[bytes], *, width_px: int, height_px: int) -> Iterator[Planes]:
    """Yields three planes of height x width, in the stream's order; the next frame overwrites them in memory."""
    planes = np.empty((3, height_px, width_px), np.uint8)
    view = planes.data.cast("B")
    while filled := stream.readinto(view):  # type: ignore[attr-defined]  # every buffered stream has it
        if filled < len(view):
            raise ValueError(f"the film ends after {filled} of {len(view)} bytes of a frame")
        yield planes[0], planes[1], planes[2]
