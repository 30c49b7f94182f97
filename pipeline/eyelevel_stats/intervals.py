"""Confidence intervals of a mean and of a share."""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy import special

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Interval:
    """Both ends of a two-sided confidence interval, in the unit of the estimate."""

    low: float
    high: float


def student_half_widths(sd: NDArray[np.float64], n: NDArray[np.int64]) -> NDArray[np.float64]:
    """Computes half widths of the 95 % intervals of means, for several samples at once.

    `t(0.975, n - 1) * sd / sqrt(n)` with the sample's standard deviation (divisor n - 1): W. S. Gosset ("Student"),
    The probable error of a mean, Biometrika 6 (1908); for opinion scores ITU-T P.800.2 and ITU-R BT.500 annex 1.
    NaN where n < 2, as the spread of a single value is unknown.
    """
    freedom = np.where(n >= 2, n - 1, np.nan)
    quantile = special.stdtrit(freedom, (1 + CONFIDENCE) / 2)
    half: NDArray[np.float64] = quantile * sd / np.sqrt(np.maximum(n, 1))
    return half


def wilson(share: float, n: float) -> Interval | None:
    """Computes the 95 % score interval of a share observed in n independent answers; None where n is 0.

    E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927). Unlike the
    normal approximation it stays inside 0..1 and keeps a width when nobody or everybody agrees.
    """
    if not 0 <= share <= 1 or n < 0:
        raise ValueError(f"A share lies in 0..1 and n is not negative; got share {share} of n {n}.")
    if n == 0:
        return None
    z = float(special.ndtri((1 + CONFIDENCE) / 2))
    shrink = 1 + z * z / n
    centre = (share + z * z / (2 * n)) / shrink
    half = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / shrink
    # rounding may move the ends slightly past 0, 1 or the share itself
    return Interval(low=max(0.0, min(centre - half, share)), high=min(1.0, max(centre + half, share)))
