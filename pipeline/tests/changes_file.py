"""Changes files for tests, as the recorder writes them, but with rectangles stored without compression."""

import os
import struct
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from eyelevel.built import RECORDER
from eyelevel.measure.changes import Changed

needs_recorder = pytest.mark.skipif(
    not os.access(RECORDER.built, os.X_OK), reason="the recorder is not built (make recorder)"
)


def recorded(
    file: Path, frames: Sequence[Sequence[Changed]], *, width_px: int, height_px: int, end: bytes = b"E"
) -> Path:
    """A changes file of these frames, 20 ms apart; `end` is the kind of its last record."""
    data = [b"EYLCHG02" + struct.pack("<2H", width_px, height_px)]
    for number, rectangles in enumerate(frames):
        data.append(b"P" + struct.pack("<QIIBH", 1_000_000 + 20_000 * number, 2000, 0, 0, len(rectangles)))
        for left, top, pixels in rectangles:
            height, width, _ = pixels.shape
            block = literal(np.moveaxis(pixels[:, :, :3], 2, 0).tobytes())
            data.append(struct.pack("<4HI", left, top, width, height, len(block)) + block)
    data.append(end + struct.pack("<QQQI", 2_000_000, 0, 0, 0))
    file.write_bytes(b"".join(data))
    return file


def literal(data: bytes) -> bytes:
    """A block of LZ4 that is one sequence of literals."""
    if len(data) < 15:
        return bytes([len(data) << 4]) + data
    more = len(data) - 15
    return b"\xf0" + b"\xff" * (more // 255) + bytes([more % 255]) + data
