"""The rank test within strata: against scipy where there is one stratum, and planted strata."""

import numpy as np
import pytest
from scipy import stats

from eyelevel_stats.arms import compare_ranks


@pytest.mark.parametrize(
    ("new", "reference"),
    [
        ([1.0, 2.0, 2.0, 7.0], [1.0, 3.0, 9.0, 12.0, 12.0]),
        ([0, 0, 0, 1, 4], [0, 0, 0, 0, 0, 0]),
        ([5.5, 6.5, 7.5], [1.5, 2.5]),
    ],
)
def test_one_stratum_is_the_mann_whitney_test(new: list[float], reference: list[float]) -> None:
    found = compare_ranks([(new, reference)])
    known = stats.mannwhitneyu(new, reference, method="asymptotic", use_continuity=False)
    assert found is not None
    assert found.p_value == pytest.approx(known.pvalue, rel=1e-12)
    assert found.superiority == pytest.approx(known.statistic / len(new) / len(reference))


def test_strata_add_and_what_they_differ_in_does_not_count() -> None:
    """Two strata of one order, a thousand apart: by hand, z = 2 (1/5)(2) / sqrt(2 (1/5)^2 (4 * 5 / 12))."""
    strata = [([offset + 3.0, offset + 4.0], [offset + 1.0, offset + 2.0]) for offset in (0.0, 1000.0)]
    found = compare_ranks(strata)
    assert found is not None
    z = (2 * 2 / 5) / np.sqrt(2 * (2 * 2 / 12 * 5) / 25)
    assert found.p_value == pytest.approx(2 * stats.norm.sf(z))
    assert (found.superiority, found.n_new, found.n_reference) == (1, 4, 4)


def test_strata_without_one_arm_are_left_out_and_nothing_is_said_of_what_never_varies() -> None:
    assert compare_ranks([]) is None
    assert compare_ranks([([1.0], []), ([], [2.0])]) is None
    found = compare_ranks([([0, 0], [0, 0, 0]), ([5.0], [])])
    assert found is not None
    assert (found.n_new, found.n_reference, found.superiority, found.p_value) == (2, 3, 0.5, None)


def test_chance_alone_is_significant_as_often_as_it_should() -> None:
    random = np.random.default_rng(4)
    hits = 0
    for _ in range(2000):
        strata = [(random.poisson(level, 9), random.poisson(level, 9)) for level in (0.3, 2.0, 8.0)]
        found = compare_ranks([(list(new), list(reference)) for new, reference in strata])
        assert found is not None
        assert found.p_value is not None
        hits += found.p_value < 0.05
    # three standard errors of 2,000 draws
    assert hits / 2000 == pytest.approx(0.05, abs=0.0147)
