"""Ratios of paired runs: the geometric mean with its 95 % interval, and how many pairs a narrower one needs."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, exp, log

from eyelevel_stats.arms import Difference, difference


@dataclass(frozen=True)
class Ratio:
    """`factor` with the ends of its interval, from so many pairs or rounds; `half_width` is that of logarithms."""

    factor: float
    low: float
    high: float
    pairs: int
    half_width: float

    def __str__(self) -> str:
        return f"{self.factor:.3f} times ({self.low:.3f} to {self.high:.3f}, {self.pairs} pairs)"

    def inside(self, most: float) -> bool:
        """Whether the whole interval lies within that factor, up and down."""
        return 1 / most <= self.low and self.high <= most

    def pairs_needed(self, half_width: float) -> int:
        """About how many pairs make half the interval so narrow, if further ones spread as these do."""
        return max(self.pairs, ceil(self.pairs * (self.half_width / half_width) ** 2))


def ratio(logs: Sequence[float]) -> Ratio | None:
    """Of the pairs' log ratios; None for fewer than two."""
    return _known(difference([(logs, [0.0] * len(logs))]), len(logs))


def of_rounds(rounds: Sequence[tuple[Sequence[float], Sequence[float]]]) -> Ratio | None:
    """How many times as long the first of two took as the second, by rounds of (seconds, seconds) in turn."""
    strata = [([log(seconds) for seconds in first], [log(seconds) for seconds in second]) for first, second in rounds]
    return _known(difference(strata), len(rounds))


def _known(found: Difference | None, pairs: int) -> Ratio | None:
    if found is None or found.ci_low is None or found.ci_high is None:
        return None
    low, high = found.ci_low, found.ci_high
    return Ratio(exp(found.difference), exp(low), exp(high), pairs, (high - low) / 2)


def between(new: Sequence[float], reference: Sequence[float]) -> Ratio | None:
    """The ratio of two arms' ratios; the n-th pairs of both were measured one after the other."""
    return ratio([a - b for a, b in zip(new, reference, strict=False)])


def least_half_width(most: float, estimate: float) -> float:
    """How narrow half an interval has to be for the whole to lie within `most` around an estimate so far from 1."""
    return log(most) - log(estimate)
