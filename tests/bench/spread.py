"""The coefficient of variation with its 95 % interval, for benches."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from scipy import stats

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Spread:
    """Standard deviation over mean."""

    cv: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{100 * self.cv:.1f} % ({100 * self.low:.1f} to {100 * self.high:.1f})"


def spread(values: Sequence[float]) -> Spread | None:
    """None for fewer than two values. The interval is that of a normal sample's standard deviation (chi-square)."""
    if len(values) < 2:
        return None
    freedom, cv = len(values) - 1, statistics.stdev(values) / statistics.fmean(values)
    tail = (1 - CONFIDENCE) / 2
    low, high = (sqrt(freedom / float(stats.chi2.ppf(share, freedom))) for share in (1 - tail, tail))
    return Spread(cv, cv * low, cv * high)
