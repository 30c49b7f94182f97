"""Tests of counts, such as void attempts or censored takes: two shares, or a rate in several groups."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy import stats

# Cochran's rule: below it the chi-square distribution is a poor approximation
LEAST_EXPECTED = 5.0
RESAMPLES = 9999
SEED = 2019


@dataclass(frozen=True)
class CountTest:
    """Two shares, and the two-sided p of Fisher's exact test of equality; None where an arm has no trial."""

    share_new: float | None
    share_reference: float | None
    p_value: float | None


def compare_shares(hits_new: int, of_new: int, hits_reference: int, of_reference: int) -> CountTest:
    """Computes R. A. Fisher's exact test (J. R. Statist. Soc. 85, 1922) of a two by two table."""
    if not (0 <= hits_new <= of_new and 0 <= hits_reference <= of_reference):
        raise ValueError("A count lies between 0 and its trials.")
    if not of_new or not of_reference:
        return CountTest(_share(hits_new, of_new), _share(hits_reference, of_reference), None)
    table = [[hits_new, of_new - hits_new], [hits_reference, of_reference - hits_reference]]
    return CountTest(hits_new / of_new, hits_reference / of_reference, float(stats.fisher_exact(table).pvalue))


def _share(hits: int, of: int) -> float | None:
    return hits / of if of else None


@dataclass(frozen=True)
class RateTest:
    """A test of equal rates; `p` is the probability of a difference at least as large if all groups had one rate."""

    name: str
    p: float


def rate_test(groups: Mapping[str, tuple[int, int]]) -> RateTest | None:
    """Tests equal rates; `groups` has (events, others) of each. None if there are fewer than two groups, or no events.

    Pearson's chi-square where every expected count is at least 5, else Fisher's exact test; with more than two groups
    its p value is drawn with a fixed seed (Fisher-Freeman-Halton), and so repeats.
    """
    table = np.array([counts for counts in groups.values() if sum(counts) > 0], dtype=int)
    if len(table) < 2 or 0 in table.sum(axis=0):
        return None
    expected = stats.contingency.expected_freq(table)
    if expected.min() >= LEAST_EXPECTED:
        return RateTest("chi-square", float(stats.chi2_contingency(table, correction=False).pvalue))
    if len(table) == 2:
        return RateTest("Fisher exact", float(stats.fisher_exact(table).pvalue))
    method = stats.MonteCarloMethod(n_resamples=RESAMPLES, rng=np.random.default_rng(SEED))
    return RateTest("Fisher-Freeman-Halton", float(stats.fisher_exact(table, method=method).pvalue))
