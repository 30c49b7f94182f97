"""One-way ANOVA over the runs of two stacks, the test of the 2019 paper."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import stats

# the paper's level: below it, the lower mean counts as significantly faster
LEVEL_2019 = 0.01
MIN_RUNS = 2

Verdict = Literal["new", "reference", "undecided"]


@dataclass(frozen=True)
class Anova:
    """F and p of a one-way analysis of variance of two groups, and mean(new) - mean(reference)."""

    f: float
    p_value: float
    difference: float


def anova(new: Sequence[float], reference: Sequence[float]) -> Anova | None:
    """Computes R. A. Fisher's one-way ANOVA of two groups; it assumes equal variances, which page loads seldom have.

    None where a group has fewer than 2 values, or where no value differs from its group's mean: F is not defined then.
    """
    if min(len(new), len(reference)) < MIN_RUNS or not (spread(new) or spread(reference)):
        return None
    test = stats.f_oneway(new, reference)
    return Anova(float(test.statistic), float(test.pvalue), float(np.mean(new) - np.mean(reference)))


def verdict(test: Anova | None, level: float = LEVEL_2019) -> Verdict | None:
    """Returns the faster stack by the rule of 2019: the lower mean if p is below the level; None without a test."""
    if test is None:
        return None
    if test.p_value >= level:
        return "undecided"
    return "new" if test.difference < 0 else "reference"


def spread(values: Sequence[float]) -> bool:
    """Whether the values differ by more than rounding."""
    return len(values) > 1 and float(np.ptp(values)) > 1e-12 * float(np.max(np.abs(values)))
