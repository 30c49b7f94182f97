"""Moments of a run, and the durations of its parts between them."""

from collections.abc import Iterable, Mapping
from itertools import pairwise
from statistics import median
from time import time

# a part of a run and the moment that ends it, in order; each begins when the one before ended
PARTS = {
    "set_up": "started",
    "browser": "ready",
    "white": "white",
    "navigate": "navigation",
    "load": "load",
    "wait": "settled",
    "film_end": "film_ended",
    "metrics": "measured",
    "ask": "asked",
    "close": "closed",
    "teardown": "ended",
}


def parts_ms(marks: Mapping[str, float]) -> dict[str, float | None]:
    """Returns milliseconds by part, None if unknown; `marks` has moments by name on one clock, "begun" first."""
    moments = [marks.get(name) for name in ("begun", *PARTS.values())]
    return {
        part: None if before is None or after is None else round(after - before, 1)
        for part, (before, after) in zip(PARTS, pairwise(moments), strict=True)
    }


def medians_ms(timings: Iterable[Mapping[str, float | None]]) -> dict[str, float | None]:
    """Returns the median of each part over runs, without those in which it is unknown."""
    known = list(timings)
    columns = {part: [ms for timing in known if (ms := timing.get(part)) is not None] for part in PARTS}
    return {part: median(column) if column else None for part, column in columns.items()}


class Marks:
    """Moments by name, in milliseconds since 1970, by the clock that is also used outside and for frames."""

    def __init__(self) -> None:
        self.ms: dict[str, float] = {}

    def reach(self, name: str) -> None:
        """Records a moment."""
        self.ms[name] = time() * 1000
