"""How well the films of two arms are aligned with each other: what their zero errors allow to be believed."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from eyelevel_stats.intervals import CONFIDENCE, Interval

BOUND_MS = 3.0


@dataclass(frozen=True)
class Alignment:
    """The mean zero error of one arm minus that of the other, in ms, with its 95 % interval.

    `floor_ms` is the largest misalignment that the interval leaves possible: a difference between the arms' visual
    metrics below it may be the films' and not the stacks'. Interval and floor are None where an arm has fewer than two
    known errors, the difference where it has none.
    """

    difference_ms: float | None
    interval: Interval | None
    floor_ms: float | None

    @property
    def holds(self) -> bool | None:
        """Whether the arms' means are within BOUND_MS; None where that is unknown."""
        return None if self.difference_ms is None else abs(self.difference_ms) <= BOUND_MS


def alignment(one_ms: Sequence[float | None], other_ms: Sequence[float | None]) -> Alignment:
    """Takes the zero errors of two arms' runs; unknown ones (None) are left out.

    The interval is Welch's: B. L. Welch, The generalization of "Student's" problem when several different population
    variances are involved, Biometrika 34 (1947), with the degrees of freedom of F. E. Satterthwaite (1946).
    """
    one, other = (np.array([ms for ms in arm if ms is not None], float) for arm in (one_ms, other_ms))
    if not len(one) or not len(other):
        return Alignment(None, None, None)
    difference = float(one.mean() - other.mean())
    if len(one) < 2 or len(other) < 2:
        return Alignment(difference, None, None)
    parts = np.array([one.var(ddof=1) / len(one), other.var(ddof=1) / len(other)])
    if not parts.any():
        return Alignment(difference, Interval(difference, difference), abs(difference))
    freedom = parts.sum() ** 2 / (parts**2 / np.array([len(one) - 1, len(other) - 1])).sum()
    half = float(special.stdtrit(freedom, (1 + CONFIDENCE) / 2) * np.sqrt(parts.sum()))
    interval = Interval(difference - half, difference + half)
    return Alignment(difference, interval, max(abs(interval.low), abs(interval.high)))


def off_by_a_frame(errors_ms: Sequence[float | None], frame_rate: float) -> list[int]:
    """The indexes of runs whose zero error is larger than a frame; unknown ones are not among them."""
    return [i for i, ms in enumerate(errors_ms) if ms is not None and abs(ms) > 1000 / frame_rate]
