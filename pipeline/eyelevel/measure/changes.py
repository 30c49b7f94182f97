"""Reads the changes of a screen from the recorder's file, also while it is being written."""

import struct
import subprocess
import tempfile
from collections.abc import Generator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from eyelevel.built import RECORDER
from eyelevel.errors import BadInputError
from eyelevel.video import last_line

PICTURE = struct.Struct("<QH")  # microseconds since 1970, number of rectangles
RECTANGLE = struct.Struct("<4H")


class Changed(NamedTuple):
    """A changed rectangle of the screen: height x width x 4, as blue, green, red and 0."""

    left: int
    top: int
    pixels: NDArray[np.uint8]


def changes(file: Path) -> Generator[Sequence[Changed]]:
    """Yields the changed rectangles of each picture of a changes file; for the first picture, all that is not black.

    Waits for further changes while the recorder writes the file. Raises BadInputError if the file is damaged.
    """
    with ExitStack() as stack:
        errors = stack.enter_context(tempfile.TemporaryFile())
        command = [str(RECORDER.find()), "read", "--follow", str(file)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors)
        stack.callback(_end, process)
        assert process.stdout is not None  # noqa: S101 - it was requested above
        while header := process.stdout.read(PICTURE.size):
            _, count = PICTURE.unpack(header)
            yield [_rectangle(process.stdout) for _ in range(count)]
        if process.wait() != 0:
            errors.seek(0)
            raise BadInputError(f"The changes cannot be read: {last_line(errors.read())}.")


def _rectangle(stream: IO[bytes]) -> Changed:
    left, top, width, height = RECTANGLE.unpack(stream.read(RECTANGLE.size))
    pixels = np.frombuffer(stream.read(width * height * 4), np.uint8)
    return Changed(left, top, pixels.reshape(height, width, 4))


def _end(process: "subprocess.Popen[bytes]") -> None:
    if process.poll() is None:
        process.kill()
    process.wait()
    if process.stdout is not None:
        process.stdout.close()
