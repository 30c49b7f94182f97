"""Histograms in a file: completeness needs the last frame, so all are read a second time."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

import numpy as np

from eyelevel.measure.histogram import Histogram

SHAPE = (3, 256)
STORED = np.dtype("<u4")  # a count of pixels
RECORD_BYTES = SHAPE[0] * SHAPE[1] * STORED.itemsize


class Spool:
    """A sequence of histograms in `file`; only one is in memory."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._count = file.seek(0, 2) // RECORD_BYTES

    def add(self, histogram: Histogram) -> None:
        """Appends a histogram."""
        self._file.seek(self._count * RECORD_BYTES)
        self._file.write(histogram.astype(STORED).tobytes())
        self._count += 1

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: int) -> Histogram:
        if not 0 <= index < self._count:
            raise IndexError(index)
        self._file.seek(index * RECORD_BYTES)
        return np.frombuffer(self._file.read(RECORD_BYTES), STORED).reshape(SHAPE).astype(np.int64)

    def __iter__(self) -> Iterator[Histogram]:
        return (self[index] for index in range(self._count))


@contextmanager
def temporary() -> Iterator[Spool]:
    """Returns a context with an empty temporary file of histograms."""
    with tempfile.TemporaryFile() as file:
        yield Spool(file)
