"""The difference of two means in their own unit, for errors of alignment."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from eyelevel_stats.arms.anova import MIN_RUNS, spread
from eyelevel_stats.arms.welch import welch


@dataclass(frozen=True)
class Difference:
    """mean(new) - mean(reference) with Welch's 95 % interval; its ends are None where an arm has fewer than 2 values.

    `floor` is the end of the interval that is farther from 0: no smaller difference can be told from this one.
    """

    n_new: int
    n_reference: int
    difference: float
    ci_low: float | None
    ci_high: float | None
    floor: float | None


def difference(new: Sequence[float], reference: Sequence[float]) -> Difference | None:
    """None where an arm is empty."""
    if not new or not reference:
        return None
    gap = float(np.mean(new) - np.mean(reference))
    if min(len(new), len(reference)) < MIN_RUNS:
        return Difference(len(new), len(reference), gap, None, None, None)
    if not (spread(new) or spread(reference)):
        return Difference(len(new), len(reference), gap, gap, gap, abs(gap))
    found = welch(new, reference)
    floor = max(abs(found.low), abs(found.high))
    return Difference(len(new), len(reference), gap, found.low, found.high, floor)
