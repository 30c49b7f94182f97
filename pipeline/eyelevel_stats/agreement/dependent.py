"""Comparison of two correlations with one variable in common, by Fisher's z; assumes independent clips."""

from dataclasses import dataclass
from math import atanh, sqrt

from scipy import special

from eyelevel_stats.correlation import fisher_interval
from eyelevel_stats.intervals import Interval

# the variance of Fisher's z is 1 / (n - 3)
MIN_POINTS = 4


@dataclass(frozen=True)
class MengTest:
    """`z` is positive where the first correlation is the larger one; `p_value` is two-sided."""

    z: float
    p_value: float


def meng(first: float, second: float, between: float, n: float) -> MengTest | None:
    """Tests whether two correlations with the same variable differ, over `n` points; `between` is that of the others.

    X.-L. Meng, R. Rosenthal, D. B. Rubin, Comparing correlated correlation coefficients, Psychological Bulletin 111
    (1992). None where n < 4, or where one of the correlations is 1 or -1.
    """
    if n < MIN_POINTS or max(abs(first), abs(second), abs(between)) >= 1:
        return None
    mean_square = (first**2 + second**2) / 2
    f = min(1.0, (1 - between) / (2 * (1 - mean_square)))
    h = (1 - f * mean_square) / (1 - mean_square)
    z = (atanh(first) - atanh(second)) * sqrt((n - 3) / (2 * (1 - between) * h))
    return MengTest(z=z, p_value=2 * float(special.ndtr(-abs(z))))


def zou(first: float, second: float, between: float, n: float) -> Interval | None:
    """Computes the 95 % interval of first minus second, two correlations with the same variable over `n` points.

    G. Y. Zou, Toward using confidence intervals to compare correlations, Psychological Methods 12 (2007): from the
    intervals of both by Fisher's z. None where n < 4, or where one of the first two correlations is 1 or -1.
    """
    if n < MIN_POINTS or max(abs(first), abs(second)) >= 1:
        return None
    one, other = fisher_interval(first, n), fisher_interval(second, n)
    assert one is not None  # noqa: S101 - n is at least 4
    assert other is not None  # noqa: S101 - the same
    shared = _correlation_of_both(first, second, between)
    difference = first - second
    below = _reach(first - one.low, other.high - second, shared)
    above = _reach(one.high - first, second - other.low, shared)
    return Interval(low=difference - below, high=difference + above)


def _correlation_of_both(first: float, second: float, between: float) -> float:
    """The correlation of the two coefficients as estimates (I. Olkin, M. Siotani, 1976)."""
    product = first * second
    left = (between - product / 2) * (1 - first**2 - second**2 - between**2) + between**3
    return left / ((1 - first**2) * (1 - second**2))


def _reach(a: float, b: float, shared: float) -> float:
    return sqrt(max(0.0, a * a + b * b - 2 * shared * a * b))
