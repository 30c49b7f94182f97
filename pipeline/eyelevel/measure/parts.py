"""Splits frames into the regions of a motion mask and the rest, and stores a histogram of each part that changed.

The histogram of a frame is the sum of its parts' histograms, and a frozen region keeps the histogram that it had when
it appeared. Therefore metrics with and without frozen regions need only one pass over the frames.
"""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from eyelevel.errors import BadInputError
from eyelevel.measure.changes import Changed
from eyelevel.measure.histogram import Histogram, Planes, histogram_of_planes
from eyelevel.motion.counting import OUTSIDE
from eyelevel.motion.regions import Area, areas
from eyelevel.motion.tiles import pixels_of
from eyelevel_core.model.mask import Mask

STORED = np.dtype([("frame", "<u4"), ("part", "<u4"), ("bits", "<f8"), ("counts", "<u4", (3, 256))])


class Part(NamedTuple):
    """A part with its histogram from frame number `frame` on; `bits` is the luminance entropy of a region."""

    frame: int
    part: int
    bits: float
    counts: Histogram


class Splitter:
    """Compares each frame with the one before, and returns the parts that differ; all parts for the first frame."""

    def __init__(self, mask: Mask | None) -> None:
        self._areas: Sequence[Area] = [] if mask is None else areas(mask)
        self._outside: NDArray[np.bool_] | None = None
        if mask is not None and self._areas:
            shape = (mask.viewport.height_px, mask.viewport.width_px)
            self._outside = ~pixels_of(mask.tiles, shape, mask.tile_px)
        self._last: Planes | None = None
        self._count = 0

    def split(self, planes: Planes) -> list[Part]:
        """Returns the changed parts of a frame of red, green and blue."""
        number, last = self._count, self._last
        parts = []
        if last is None or self._differ(last, planes):
            parts.append(Part(number, OUTSIDE, 0.0, histogram_of_planes(planes, self._outside)))
        for part, area in enumerate(self._areas, OUTSIDE + 1):
            pixels = _cut(planes, area)
            if last is None or any(
                (one != other)[area.inside].any() for one, other in zip(pixels, _cut(last, area), strict=True)
            ):
                bits = area.luminance_entropy(np.stack(pixels, axis=-1))
                parts.append(Part(number, part, bits, histogram_of_planes(pixels, area.inside)))
        self._last = (planes[0].copy(), planes[1].copy(), planes[2].copy()) if self._areas else planes
        self._count += 1
        return parts

    def _differ(self, last: Planes, planes: Planes) -> bool:
        if self._outside is None:
            return True  # a film has a frame only if the picture changed
        return any(((one != other) & self._outside).any() for one, other in zip(last, planes, strict=True))


class ChangeSplitter:
    """Returns the same parts as a Splitter of whole frames, but reads only the changed rectangles."""

    def __init__(self, mask: Mask | None, *, width_px: int, height_px: int) -> None:
        self._areas: Sequence[Area] = [] if mask is None else areas(mask)
        self._outside: NDArray[np.bool_] | None = None
        if mask is not None and self._areas:
            self._outside = ~pixels_of(mask.tiles, (height_px, width_px), mask.tile_px)
        self._planes = np.zeros((3, height_px, width_px), np.uint8)
        self._counts: Histogram = np.zeros((3, 256), np.int64)
        self._count = 0

    def split(self, changed: Sequence[Changed]) -> list[Part]:
        """Returns the changed parts; rectangles must not overlap, and the rest of the first frame is black."""
        before = [self._planes[:, rows, columns].copy() for rows, columns in map(_place, changed)]
        for (rows, columns), each in zip(map(_place, changed), changed, strict=True):
            self._planes[:, rows, columns] = each.pixels[:, :, 2::-1].transpose(2, 0, 1)
        number, self._count = self._count, self._count + 1
        parts = []
        if number == 0:
            self._counts = histogram_of_planes(_three(self._planes), self._outside)
            parts.append(Part(number, OUTSIDE, 0.0, self._counts))
        elif moved := self._moved(changed, before):
            self._counts = np.sum([self._counts, *moved], axis=0)
            parts.append(Part(number, OUTSIDE, 0.0, self._counts))
        for part, area in enumerate(self._areas, OUTSIDE + 1):
            if number == 0 or any(
                _touches(area, each, old, self._planes) for each, old in zip(changed, before, strict=True)
            ):
                pixels = _cut(_three(self._planes), area)
                bits = area.luminance_entropy(np.stack(pixels, axis=-1))
                parts.append(Part(number, part, bits, histogram_of_planes(pixels, area.inside)))
        return parts

    def _moved(self, changed: Sequence[Changed], before: Sequence[NDArray[np.uint8]]) -> list[Histogram]:
        """The difference of the counts by each rectangle that changed outside all regions."""
        moved = []
        for each, old in zip(changed, before, strict=True):
            rows, columns = _place(each)
            new = self._planes[:, rows, columns]
            outside = None if self._outside is None else self._outside[rows, columns]
            if outside is None or ((new != old).any(axis=0) & outside).any():
                moved.append(histogram_of_planes(_three(new), outside) - histogram_of_planes(_three(old), outside))
        return moved


def _place(changed: Changed) -> tuple[slice, slice]:
    height, width, _ = changed.pixels.shape
    return slice(changed.top, changed.top + height), slice(changed.left, changed.left + width)


def _three(planes: NDArray[np.uint8]) -> Planes:
    return planes[0], planes[1], planes[2]


def _touches(area: Area, changed: Changed, old: NDArray[np.uint8], planes: NDArray[np.uint8]) -> bool:
    """Whether a pixel of the area has changed in a rectangle; `old` are its previous pixels."""
    (rows, columns), (top, left) = _place(changed), (changed.top, changed.left)
    first_row, last_row = max(rows.start, area.rows.start), min(rows.stop, area.rows.stop)
    first_column, last_column = max(columns.start, area.columns.start), min(columns.stop, area.columns.stop)
    if first_row >= last_row or first_column >= last_column:
        return False
    was = old[:, first_row - top : last_row - top, first_column - left : last_column - left]
    now = planes[:, first_row:last_row, first_column:last_column]
    inside = area.inside[
        first_row - area.rows.start : last_row - area.rows.start,
        first_column - area.columns.start : last_column - area.columns.start,
    ]
    return bool(((was != now).any(axis=0) & inside).any())


def _cut(planes: Planes, area: Area) -> Planes:
    red, green, blue = (plane[area.rows, area.columns] for plane in planes)
    return red, green, blue


class PartsFile:
    """A sequence of parts in `file`, in the order of frames; only one is in memory."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._count = file.seek(0, 2) // STORED.itemsize

    def add(self, parts: Sequence[Part]) -> None:
        """Appends parts."""
        self._file.seek(self._count * STORED.itemsize)
        for part in parts:
            self._file.write(np.array(tuple(part), STORED).tobytes())
        self._count += len(parts)

    def cut(self, frames: int) -> None:
        """Limits the sequence to the first frames; the file is not changed."""
        while self._count and self._read(self._count - 1).frame >= frames:
            self._count -= 1

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Part]:
        return (self._read(index) for index in range(self._count))

    def _read(self, index: int) -> Part:
        self._file.seek(index * STORED.itemsize)
        read = np.frombuffer(self._file.read(STORED.itemsize), STORED)[0]
        return Part(int(read["frame"]), int(read["part"]), float(read["bits"]), read["counts"].astype(np.int64))

    def __getitem__(self, index: int) -> Histogram:
        """Returns the histogram of a part; in a film without regions, `index` is the number of the frame."""
        if not 0 <= index < self._count:
            raise IndexError(index)
        return self._read(index).counts

    def frames(self) -> Iterator[tuple[int, list[Part]]]:
        """Yields the number of each frame with its parts."""
        for number, parts in groupby(self, key=lambda part: part.frame):
            yield number, list(parts)


@contextmanager
def temporary() -> Iterator[PartsFile]:
    """Returns a context with an empty temporary file of parts."""
    with tempfile.TemporaryFile() as file:
        yield PartsFile(file)


@contextmanager
def stored(path: Path) -> Iterator[PartsFile]:
    """Returns a context with the parts that watch.py wrote; raises BadInputError if the file is truncated."""
    if path.stat().st_size % STORED.itemsize:
        raise BadInputError(f"{path} ends in the middle of a histogram; remove it to measure the film itself.")
    with path.open("rb") as file:
        yield PartsFile(file)
