"""Computes the metrics of a film in which continuous motion is frozen, and those of the unchanged film."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from eyelevel.measure.histogram import Histogram
from eyelevel.measure.metrics import Metrics, check_increasing, of_histograms
from eyelevel.measure.parts import Part, PartsFile
from eyelevel.measure.spool import temporary
from eyelevel.motion.appearance import Series, appeared_ms
from eyelevel.motion.counting import OUTSIDE
from eyelevel_core.model.mask import Mask


def of_parts(times_ms: Sequence[float], parts: PartsFile, mask: Mask | None, *, end_ms: float | None = None) -> Metrics:
    """Returns the metrics of a film from the parts of its distinct frames; `times_ms` has a time per frame.

    Each region is frozen when it has appeared, until the end of the film: `end_ms`, or its last frame. A region that
    never appears is not frozen. Raises ValueError as `of_histograms` does.
    """
    if mask is None or mask.still:
        plain = of_histograms(times_ms, parts)
        return plain if mask is None else replace(plain, plain=plain, appeared_ms=())
    check_increasing(times_ms)
    until_ms = [
        appeared_ms(series, region, end_ms=end_ms if end_ms is not None else times_ms[-1])
        for series, region in zip(_entropies(times_ms, parts, len(mask.regions)), mask.regions, strict=True)
    ]
    plain = _metrics(times_ms, parts, [None] * len(mask.regions))
    return replace(_metrics(times_ms, parts, until_ms), plain=plain, appeared_ms=tuple(until_ms))


def _entropies(times_ms: Sequence[float], parts: PartsFile, regions: int) -> list[Series]:
    """The entropy of each region, from its first change after navigation start."""
    series: list[list[tuple[float, float]]] = [[] for _ in range(regions)]
    for part in parts:
        if part.part != OUTSIDE and _time(times_ms, part) > 0:
            series[part.part - 1].append((_time(times_ms, part), part.bits))
    return list(series)


def _metrics(times_ms: Sequence[float], parts: PartsFile, until_ms: Sequence[float | None]) -> Metrics:
    """The metrics with each region's changes only until its time; None: all of its changes."""
    shown: dict[int, Histogram] = {}
    kept_ms: list[float] = []
    frames = 0
    with temporary() as histograms:
        for number, of_frame in parts.frames():
            frames = number + 1
            ms = times_ms[number] if number < len(times_ms) else 0.0
            counted = [part for part in of_frame if not _is_frozen(part, ms, until_ms)]
            shown |= {part.part: part.counts for part in counted}
            if counted:
                kept_ms.append(ms)
                histograms.add(np.sum([*shown.values()], axis=0))
        if frames != len(times_ms):
            raise ValueError(f"it has {frames} frames, but {len(times_ms)} times")
        return of_histograms(kept_ms, histograms)


def _is_frozen(part: Part, ms: float, until_ms: Sequence[float | None]) -> bool:
    if part.part == OUTSIDE:
        return False
    until = until_ms[part.part - 1]
    return until is not None and ms > until


def _time(times_ms: Sequence[float], part: Part) -> float:
    return times_ms[part.frame] if part.frame < len(times_ms) else 0.0
