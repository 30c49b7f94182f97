"""Chooses the moments of a contact sheet, and the film's frame at each of them. Pure."""

from bisect import bisect_right
from collections.abc import Sequence

COLUMNS = 9


def moments_ms(ends_ms: Sequence[float]) -> list[float]:
    """The same for all arms of a scene: evenly from navigation start to the latest of `ends_ms`."""
    end_ms = max(*ends_ms, 0.0) if ends_ms else 0.0
    return [end_ms * i / (COLUMNS - 1) for i in range(COLUMNS)]


def frame_at(times_ms: Sequence[float], moment_ms: float) -> int:
    """The last frame that had come by then; before the first of all, the first."""
    return max(0, bisect_right(times_ms, moment_ms) - 1)
