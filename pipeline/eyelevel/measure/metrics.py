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
    """A list will do, and so will a file of them."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> Histogram: ...


@dataclass(frozen=True)
class Metrics:
    """Milliseconds since navigation start; null where a page never changed, since then nothing is known.

    With a motion mask, `plain` has the values of the film as it was shown, and `appeared_ms` says for each region of
    the mask when it appeared: None for one that never does. Both are None where there is no mask.
    """

    fvc_ms: float | None
    si_ms: float | None
    vc85_ms: float | None
    lvc_ms: float | None
    progress: tuple[tuple[float, int], ...]
    plain: "Metrics | None" = None
    appeared_ms: tuple[float | None, ...] | None = None

    def as_json(self) -> dict[str, object]:
        """The object that `eyelevel measure --json` prints and that `progress.json` holds."""
        values: dict[str, object] = {name: getattr(self, name) for name in VISUAL_FIELDS}
        if self.plain is not None:
            pairs = zip(PLAIN_FIELDS, VISUAL_FIELDS, strict=True)
            values |= {name: getattr(self.plain, own) for name, own in pairs}
        if self.appeared_ms is not None:
            values["appeared_ms"] = list(self.appeared_ms)
        return {**values, "progress": [list(point) for point in self.progress]}


def measure(frames: Iterable[tuple[float, Frame]], *, tolerance: int = 0) -> Metrics:
    """Measure frames that come with their times in milliseconds since navigation start.

    Times must increase. The last frame at or before 0 is what was visible at navigation start; where there is none,
    the first frame is taken for it. `tolerance` is how far a channel of a pixel (0-255) may differ in two frames that
    still count as one: 0 for lossless frames. Raise ValueError if times do not increase or frames differ in size.

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
    """The same from the histograms of a film's distinct frames and their times.

    Frames before the last one at or before 0 don't count. Raise ValueError if there is no frame, if the number of
    times is another, or if they do not increase.
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
    found = of_progress(progress)
    fvc_ms, si_ms, vc85_ms, lvc_ms = (found[name] for name in VISUAL_FIELDS)
    return Metrics(fvc_ms, si_ms, vc85_ms, lvc_ms, progress)


def check_increasing(times_ms: Sequence[float]) -> None:
    """Raise ValueError at the first time that is not later than the one before."""
    for earlier, later in pairwise(times_ms):
        if later <= earlier:
            raise ValueError(f"the times of frames must increase, but {later:g} ms follows {earlier:g} ms")


def distinct(frames: Iterable[tuple[float, Frame]], *, tolerance: int = 0) -> Iterator[tuple[float, Frame]]:
    """Of equal consecutive frames the first; each is compared with the last one kept, so that slow drift is seen."""
    kept: Frame | None = None
    for ms, frame in frames:
        if kept is not None and kept.shape != frame.shape:
            raise ValueError(f"the frame at {ms:g} ms is {_size(frame)}, those before it {_size(kept)}")
        if kept is None or _differ(kept, frame, tolerance):
            kept = frame
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
