"""Measures pages within a video, such as the two of a side-by-side clip: one decoder for all pages and tolerances."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from eyelevel.errors import BadInputError
from eyelevel.measure.decode import AS_STORED, Times, distinct_frames
from eyelevel.measure.film import shown_ms
from eyelevel.measure.histogram import Histogram, histogram_of_planes
from eyelevel.measure.metrics import Metrics, of_histograms
from eyelevel.video import Page, inspect

# red, green and blue: 3 x height x width
Pixels = NDArray[np.uint8]
# rows from, to; columns from, to
Box = tuple[int, int, int, int]


def measure_pages(
    path: Path, pages: Sequence[Page], tolerances: Sequence[int], times_ms: Sequence[float] | None = None
) -> list[list[dict[str, object]]]:
    """Returns the output of `eyelevel measure --json` by tolerance and page, with times since the page's navigation.

    `times_ms` are those of the video's frames; without them, its timestamps are used. A tolerance is the largest
    difference of a pixel's channel (0-255) at which frames count as equal. Raises BadInputError as `measure_video`.
    """
    video, clock = inspect(path), Times()
    eyes = [[_Eye(page, tolerance) for page in pages] for tolerance in tolerances]
    last: list[Pixels | None] = [None] * len(pages)
    for number, planes in enumerate(distinct_frames(video, clock, compared=AS_STORED)):
        for place, page in enumerate(pages):
            now = np.stack([plane[page.rows, page.columns] for plane in planes])
            box = _changed(last[place], now)
            last[place] = now
            if box is not None:
                for by_page in eyes:
                    by_page[place].see(number, now, box)
    try:
        return [[eye.metrics(shown_ms(clock, times_ms, eye.numbers)).as_json() for eye in by_page] for by_page in eyes]
    except ValueError as error:
        raise BadInputError(f"{path} cannot be measured: {error}.") from error


class _Eye:
    """The frames of a page that differ by more than a tolerance from the one kept before.

    Only changed pixels are compared and counted, because motion is often only in a small part of a page.
    """

    def __init__(self, page: Page, tolerance: int) -> None:
        self._page, self._tolerance = page, tolerance
        self._kept: Pixels | None = None
        self._since: Box | None = None
        self._counts: Histogram = np.zeros((3, 256), np.int64)
        self._histograms: list[Histogram] = []
        self.numbers: list[int] = []

    def see(self, number: int, now: Pixels, changed: Box) -> None:
        """Adds a frame; the box `changed` contains all pixels that differ from the previous frame."""
        if self._kept is None:
            self._kept, self._counts = now.copy(), _counted(now)
        else:
            box = changed if self._since is None else _around(self._since, changed)
            old, new = (pixels[:, box[0] : box[1], box[2] : box[3]] for pixels in (self._kept, now))
            self._since = box
            if not ((np.maximum(old, new) - np.minimum(old, new)) > self._tolerance).any():
                return
            self._counts = self._counts + _counted(new) - _counted(old)
            old[:] = new
        self._since = None
        self._histograms.append(self._counts)
        self.numbers.append(number)

    def metrics(self, times_ms: Sequence[float]) -> Metrics:
        since = [round(ms - self._page.start_ms, 3) for ms in times_ms]
        count = sum(ms <= self._page.until_ms for ms in since)
        return of_histograms(since[:count], self._histograms[:count])


def _counted(pixels: Pixels) -> Histogram:
    return histogram_of_planes((pixels[0], pixels[1], pixels[2]))


def _changed(before: Pixels | None, now: Pixels) -> Box | None:
    """The smallest box around all differences; None if there are none."""
    _, height, width = now.shape
    if before is None:
        return 0, height, 0, width
    differs = before[0] != now[0]
    for plane in (1, 2):
        differs |= before[plane] != now[plane]
    rows = differs.any(axis=1).nonzero()[0]
    if not rows.size:
        return None
    top, bottom = int(rows[0]), int(rows[-1]) + 1
    columns = differs[top:bottom].any(axis=0).nonzero()[0]
    return top, bottom, int(columns[0]), int(columns[-1]) + 1


def _around(one: Box, other: Box) -> Box:
    return min(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), max(one[3], other[3])
