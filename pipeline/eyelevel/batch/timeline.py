"""Which frame of a film shows at which moment of a clip; plain arithmetic on times."""

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from math import floor


def frame_count(end_ms: float, frame_rate: int) -> int:
    """How many frames a clip needs that starts at navigation start and still shows the moment `end_ms`."""
    return floor(Fraction(end_ms) * frame_rate / 1000) + 1


def picks(times_ms: Sequence[float], *, frame_rate: int, count: int) -> list[int]:
    """For each frame of a clip, the index of the film's frame that it shows.

    Frame k of the clip starts at k / `frame_rate` seconds after navigation start and shows the film's last frame whose
    time is not later; frames of the film that lie between two of these moments are not seen, and the last one stays.
    Where the film starts after navigation start, its first frame stands in.
    """
    moments_ms = (Fraction(1000 * k, frame_rate) for k in range(count))
    return [max(0, bisect_right(times_ms, moment) - 1) for moment in moments_ms]
