"""B. L. Welch's test of two means with unequal variances (Biometrika 34, 1947), with its interval."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy import special

from eyelevel_stats.intervals import CONFIDENCE


@dataclass(frozen=True)
class Welch:
    """mean(new) - mean(reference), its standard error, degrees of freedom and 95 % interval; sds divide by n - 1."""

    difference: float
    error: float
    freedom: float
    low: float
    high: float
    t: float
    p_value: float
    sds: tuple[float, float]


def welch(new: Sequence[float], reference: Sequence[float]) -> Welch:
    """Computes the test; each sample has 2 values or more, and at least one of them varies.

    scipy's function warns about constant samples, such as an arm whose runs all ended at the limit.
    """
    means = float(np.mean(new)), float(np.mean(reference))
    sds = float(np.std(new, ddof=1)), float(np.std(reference, ddof=1))
    parts = sds[0] ** 2 / len(new), sds[1] ** 2 / len(reference)
    freedom = sum(parts) ** 2 / (parts[0] ** 2 / (len(new) - 1) + parts[1] ** 2 / (len(reference) - 1))
    gap, error = means[0] - means[1], sqrt(sum(parts))
    half = float(special.stdtrit(freedom, (1 + CONFIDENCE) / 2)) * error
    p_value = 2 * float(special.stdtr(freedom, -abs(gap) / error))
    return Welch(gap, error, freedom, gap - half, gap + half, gap / error, p_value, sds)
