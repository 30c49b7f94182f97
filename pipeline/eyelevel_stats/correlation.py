"""Correlation of two measured variables, with confidence intervals."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import atanh, sqrt, tanh

import numpy as np
from numpy.typing import NDArray
from scipy import special

from eyelevel_stats.intervals import CONFIDENCE, Interval

# with fewer points any line fits, and a coefficient is meaningless
MIN_POINTS = 3
# the variance of Fisher's z is 1 / (n - 3)
MIN_POINTS_FOR_INTERVAL = 4
# a difference this small against the largest value is rounding, not variation
ROUNDING = 1e-13
# so is a difference this small against the two values themselves, as the computation of a metric may cause it; a value
# this small in its unit is zero, because the size of the numbers from which it was computed is unknown
NOISE = 1e-9


@dataclass(frozen=True)
class Correlation:
    """Coefficients over `n` points; None where they are not defined (fewer than 3 points, or a constant column).

    `p_value` belongs to Pearson's coefficient: two-sided, against no correlation.
    """

    n: int
    pearson: float | None
    pearson_ci_low: float | None
    pearson_ci_high: float | None
    p_value: float | None
    spearman: float | None


def correlate(x: Sequence[float], y: Sequence[float]) -> Correlation:
    """Computes Pearson's and Spearman's coefficients of two columns of equal length, without gaps."""
    if len(x) != len(y):
        raise ValueError(f"Columns differ in length: {len(x)}, {len(y)}.")
    xs, ys = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if not (np.isfinite(xs).all() and np.isfinite(ys).all()):
        raise ValueError("A value is not a finite number; leave unknown points out.")
    pearson = pearson_coefficient(xs, ys)
    interval = None if pearson is None else fisher_interval(pearson, len(x))
    return Correlation(
        n=len(x),
        pearson=pearson,
        pearson_ci_low=None if interval is None else interval.low,
        pearson_ci_high=None if interval is None else interval.high,
        p_value=None if pearson is None else p_value(pearson, len(x)),
        spearman=pearson_coefficient(mean_ranks(xs), mean_ranks(ys)),
    )


def pearson_coefficient(x: NDArray[np.float64], y: NDArray[np.float64]) -> float | None:
    """Computes K. Pearson's product-moment coefficient (Proc. R. Soc. 58, 1895); None where it is not defined."""
    if len(x) < MIN_POINTS or is_constant(x) or is_constant(y):
        return None
    return max(-1.0, min(1.0, float(_unit(x) @ _unit(y))))


def mean_ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Computes ranks from 1; tied values, also those that differ only by noise, share the mean of their ranks.

    Pearson's coefficient of two columns of these ranks is Spearman's (C. Spearman, Am. J. Psychol. 15, 1904; ties as
    in M. G. Kendall, Rank correlation methods, chapter 3).
    """
    _, place, count = np.unique(settled(values), return_inverse=True, return_counts=True)
    ranks: NDArray[np.float64] = (np.cumsum(count) - (count - 1) / 2)[place]
    return ranks


def settled(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Makes values equal that differ only by floating-point noise; returns the same array if there are none.

    Values of at most NOISE are zero. Neighbours in rising order are equal whose difference is at most NOISE of the
    larger of them, or ROUNDING of the largest of all values.
    """
    if (zero := (np.abs(values) <= NOISE) & (values != 0)).any():
        values = np.where(zero, 0.0, values)
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    size = np.abs(ordered)
    gaps = np.diff(ordered)
    near = gaps <= np.maximum(NOISE * np.maximum(size[1:], size[:-1]), ROUNDING * size.max(initial=0.0))
    if not (near & (gaps > 0)).any():
        return values
    first = np.flatnonzero(np.concatenate([[True], ~near]))
    equal = np.empty(values.shape)
    equal[order] = np.repeat(ordered[first], np.diff([*first, len(values)]))
    return equal


def tied(one: float, other: float) -> bool:
    """Whether two values of a metric differ by floating-point noise at most."""
    largest = max(abs(one), abs(other))
    return largest <= NOISE or abs(one - other) <= NOISE * largest


def is_constant(values: NDArray[np.float64]) -> bool:
    """Whether values differ by floating-point noise at most."""
    if not len(values):
        return True
    # equal neighbours cannot reach further, so that most columns need no sorting
    reach = NOISE * max(len(values) * float(np.abs(values).max()), 2)
    return bool(np.ptp(values) <= reach and np.ptp(settled(values)) == 0)


def fisher_interval(pearson: float, n: float) -> Interval | None:
    """Computes the 95 % interval of Pearson's coefficient by R. A. Fisher's z (Metron 1, 1921); None where n < 4."""
    if n < MIN_POINTS_FOR_INTERVAL:
        return None
    if abs(pearson) == 1:
        return Interval(low=pearson, high=pearson)
    half = float(special.ndtri((1 + CONFIDENCE) / 2)) / sqrt(n - 3)
    z = atanh(pearson)
    return Interval(low=tanh(z - half), high=tanh(z + half))


def p_value(pearson: float, n: int) -> float:
    """Computes the two-sided p of Pearson's coefficient against 0, by Student's t with n - 2 degrees of freedom."""
    if abs(pearson) == 1:
        return 0.0
    t = abs(pearson) * sqrt((n - 2) / ((1 - pearson) * (1 + pearson)))
    return 2 * float(special.stdtr(n - 2, -t))


def _unit(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Deviations from the mean, scaled to length one; scaled by the largest first, so that small ones don't vanish."""
    deviations = values - values.mean()
    deviations /= np.abs(deviations).max()
    unit: NDArray[np.float64] = deviations / np.linalg.norm(deviations)
    return unit
