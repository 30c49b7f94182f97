"""Difference of two means in their own unit, for alignment errors and shares of processor time."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt

import numpy as np
from scipy import special

from eyelevel_stats.arms.anova import MIN_RUNS
from eyelevel_stats.intervals import CONFIDENCE

# the values of one stratum: (new, reference)
Stratum = tuple[Sequence[float], Sequence[float]]


@dataclass(frozen=True)
class Difference:
    """The strata's mean of mean(new) - mean(reference), with its 95 % interval.

    Its ends are None where no stratum has 2 values in both arms. `n_new` and `n_reference` are the values counted.
    `floor` is the end of the interval that is farther from 0: no smaller difference can be told from this one.
    `p_value` is the two-sided p of no difference; None without an interval, or where nothing varies.
    """

    n_new: int
    n_reference: int
    difference: float
    ci_low: float | None
    ci_high: float | None
    floor: float | None
    p_value: float | None = None


def difference(strata: Sequence[Stratum]) -> Difference | None:
    """One difference within strata (e.g. sites), each of which counts once; None where an arm is empty in all.

    What strata have in common in both arms, such as a page whose first paint the browser tells late, does not widen
    the interval: variances of the arms' means add within strata (B. L. Welch, Biometrika 34, 1947), degrees of freedom
    by F. E. Satterthwaite (Biometrics 2, 1946); with one stratum this is Welch's interval. Strata with a single value
    in an arm have no variance, and are left out where others have one.
    """
    both = [(new, reference) for new, reference in strata if new and reference]
    spread = [stratum for stratum in both if min(map(len, stratum)) >= MIN_RUNS]
    counted = spread or both
    if not counted:
        return None
    gap = fsum(float(np.mean(new) - np.mean(reference)) for new, reference in counted) / len(counted)
    n_new, n_reference = (sum(len(stratum[arm]) for stratum in counted) for arm in (0, 1))
    if not spread:
        return Difference(n_new, n_reference, gap, None, None, None)
    error, freedom = _error([arm for stratum in spread for arm in stratum])
    if not error:
        return Difference(n_new, n_reference, gap, gap, gap, abs(gap))
    error /= len(spread)
    half = float(special.stdtrit(freedom, (1 + CONFIDENCE) / 2)) * error
    low, high = gap - half, gap + half
    p_value = 2 * float(special.stdtr(freedom, -abs(gap) / error))
    return Difference(n_new, n_reference, gap, low, high, max(abs(low), abs(high)), p_value)


def _error(samples: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Standard error of a sum of these samples' means, whatever their signs, and its degrees of freedom."""
    parts = [(float(np.var(sample, ddof=1)) / len(sample), len(sample) - 1) for sample in samples]
    variance = fsum(part for part, _ in parts)
    if not variance:
        return 0.0, 0.0
    return sqrt(variance), variance**2 / fsum(part**2 / own for part, own in parts)
