"""Rank test of two samples within strata, for counts and for times of which a few are very long."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt

import numpy as np
from scipy import special, stats

from eyelevel_stats.arms.difference import Stratum


@dataclass(frozen=True)
class RankTest:
    """The probability that a value of the new arm exceeds one of the reference (ties count half), mean of strata.

    `p_value` is two-sided, against equal distributions; None where nothing varies.
    """

    n_new: int
    n_reference: int
    superiority: float
    p_value: float | None


def compare_ranks(strata: Sequence[Stratum]) -> RankTest | None:
    """Computes Ph. van Elteren's test (Bull. Int. Statist. Inst. 37, 1960): rank sums in strata, weights 1 / (N + 1).

    With midranks, the variance corrected for ties, and the normal approximation without correction for continuity. With
    one stratum this is the Mann-Whitney test. None where no stratum has a value in both arms.
    """
    both = [(new, reference) for new, reference in strata if new and reference]
    if not both:
        return None
    sums, variances, chances = zip(*(_weighted(new, reference) for new, reference in both), strict=True)
    error = sqrt(fsum(variances))
    n_new, n_reference = (sum(len(stratum[arm]) for stratum in both) for arm in (0, 1))
    p_value = 2 * float(special.ndtr(-abs(fsum(sums)) / error)) if error else None
    return RankTest(n_new, n_reference, fsum(chances) / len(chances), p_value)


def _weighted(new: Sequence[float], reference: Sequence[float]) -> tuple[float, float, float]:
    """Of one stratum: rank sum minus its expectation and its variance, both weighted, and the superiority."""
    m, n = len(new), len(reference)
    total = m + n
    values = np.concatenate([new, reference])
    excess = fsum(stats.rankdata(values)[:m]) - m * (total + 1) / 2
    _, ties = np.unique(values, return_counts=True)
    tied = fsum(float(t) ** 3 - float(t) for t in ties) / (total * (total - 1))
    variance = m * n / 12 * (total + 1 - tied)
    weight = 1 / (total + 1)
    return excess * weight, max(0.0, variance) * weight**2, excess / (m * n) + 0.5
