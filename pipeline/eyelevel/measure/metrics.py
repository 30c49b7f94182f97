"""Computes the visual metrics of a page load from frames or their histograms. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np

from eyelevel.measure.histogram import Histogram, completeness_percent, histogram
from eyelevel.measure.spool import temporary
from eyelevel.video import Frame
from eyelevel_core.model.metrics import PLAIN_FIELDS, VISUAL_FIELDS
from eyelevel_core.model.progress import of_progress


class Histograms(Protocol):
    """A sequence of histograms: a list, or a file of them."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> Histogram: ...


@dataclass(frozen=True)
class Metrics:
    """The visual metrics in milliseconds since navigation start; None if the page never changed.

    With a motion mask, `plain` has the values of the unchanged film, and `appeared_ms` has the time when each region of
    the mask appeared, None if it never did. Both are None without a mask.
    """

    fvc_ms: float | None
    si_ms: float | None
    vc85_ms: float | None
    lvc_ms: float | None
    progress: tuple[tuple[float, int], ...]
    plain: "Metrics | None" = None
    appeared_ms: tuple[float | None, ...] | None = None

    def as_json(self) -> dict[str, object]:
        """Returns the object that `eyelevel measure --json` prints, and that is in `progress.json`."""
        values: dict[str, object] = {name: getattr(self, name) for name in VISUAL_FIELDS}
        if self.plain is not None:
            pairs = zip(PLAIN_FIELDS, VISUAL_FIELDS, strict=True)
            values |= {name: getattr(self.plain, field) for name, field in pairs}
        if self.appeared_ms is not None:
            values["appeared_ms"] = list(self.appeared_ms)
        return {**values, "progress": [list(point) for point in self.progress]}


def measure(frames: Iterable[tuple[float, Frame]], *, tolerance: int = 0) -> Metrics:
    """Measures frames with their times in milliseconds since navigation start.

    Times must increase. The last frame at or before 0 was visible at navigation start; if there is none, the first
    frame is used instead. `tolerance` is the largest difference of a pixel's channel (0-255) at which two frames count
    as equal: 0 for lossless frames. Raises ValueError if times do not increase or frames differ in size.

    FVC is the time of the first frame that differs from the one at navigation start, LVC of the last that differs from
    the one before it. Source: `calculate_visual_metrics` in visualmetrics/visualmetrics-portable.py of
    sitespeedio/browsertime.
    """
    times_ms: list[float] = []
    with temporary() as histograms:
        for ms, frame in distinct(_since_navigation(frames), tolerance=tolerance):
            times_ms.append(ms)
            histograms.add(histogram(frame))
        return of_histograms(times_ms, histograms)


def of_histograms(times_ms: Sequence[float], histograms: Histograms) -> Metrics:
    """Measures a film by the histograms of its distinct frames and their times.

    Frames before the last one at or before 0 don't count. Raises ValueError if there is no frame, if the numbers of
    frames and times differ, or if times do not increase.
    """
    if len(times_ms) != len(histograms):
        raise ValueError(f"it has {len(histograms)} frames, but {len(times_ms)} times")
    check_increasing(times_ms)
    if not times_ms:
        raise ValueError("there are no frames")
    start = max((i for i, ms in enumerate(times_ms) if ms <= 0), default=0)
    first, last = histograms[start], histograms[len(histograms) - 1]
    progress = tuple(
        (0 if i == start else times_ms[i], completeness_percent(histograms[i], first, last))
        for i in range(start, len(times_ms))
    )
    values = of_progress(progress)
    fvc_ms, si_ms, vc85_ms, lvc_ms = (values[name] for name in VISUAL_FIELDS)
    return Metrics(fvc_ms, si_ms, vc85_ms, lvc_ms, progress)


def check_increasing(times_ms: Sequence[float]) -> None:
    """Raises ValueError if a time is not later than the one before."""
    for earlier, later in pairwise(times_ms):
        if later <= earlier:
            raise ValueError(f"the times of frames must increase, but {later:g} ms follows {earlier:g} ms")


def distinct(frames: Iterable[tuple[float, Frame]], *, tolerance: int = 0) -> Iterator[tuple[float, Frame]]:
    """Yields the first of equal consecutive frames; each is compared with the last one kept, to detect slow drift."""
    last: Frame | None = None
    for ms, frame in frames:
        if last is not None and last.shape != frame.shape:
            raise ValueError(f"the frame at {ms:g} ms is {_size(frame)}, those before it {_size(last)}")
        if last is None or _differ(last, frame, tolerance):
            last = frame
            yield ms, frame


def _since_navigation(frames: Iterable[tuple[float, Frame]]) -> Iterator[tuple[float, Frame]]:
    before: tuple[float, Frame] | None = None
    started = False
    for ms, frame in frames:
        if before is not None and ms <= before[0]:
            raise ValueError(f"the times of frames must increase, but {ms:g} ms follows {before[0]:g} ms")
        if ms > 0:
            if not started:
                yield 0, before[1] if before else frame
                started = True
            yield ms, frame
        before = (ms, frame)
    if before is not None and not started:
        yield 0, before[1]


def _differ(one: Frame, other: Frame, tolerance: int) -> bool:
    if tolerance == 0:
        return not np.array_equal(one, other)
    distance = np.maximum(one, other) - np.minimum(one, other)
    return bool((distance > tolerance).any())


def _size(frame: Frame) -> str:
    return f"{frame.shape[1]}x{frame.shape[0]}"
