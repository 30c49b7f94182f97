"""Clustered estimates agree with statsmodels and with scipy's t tests."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.sandwich_covariance import cov_cluster

from eyelevel_stats.descriptive.clustered import estimate, matched_difference, slope_within


def test_a_slope_within_is_that_of_least_squares_with_clusters() -> None:
    rng = np.random.default_rng(3)
    kept = rng.random((9, 6)) < 0.7
    kept[0] = True
    person, cell = np.nonzero(kept)
    x = rng.normal(size=len(person))
    score = 0.5 * x + person + 2 * cell + rng.normal(size=len(person))
    columns = np.column_stack([x, np.eye(9)[person], np.eye(6)[cell][:, 1:]])
    other = sm.OLS(score, columns).fit()
    variance = cov_cluster(other, person, use_correction=False)[0, 0] * 9 / 8
    found = slope_within([f"p{p}" for p in person], [(f"c{c}",) for c in cell], x, score)
    assert found is not None
    assert found.value == pytest.approx(other.params[0], abs=1e-10)
    assert found.se == pytest.approx(variance**0.5, rel=1e-9)
    assert found.freedom == 8
    half = stats.t.ppf(0.975, 8) * variance**0.5
    assert (found.ci_low, found.ci_high) == pytest.approx((found.value - half, found.value + half), abs=1e-9)
    assert found.p_value == pytest.approx(2 * stats.t.sf(abs(found.value) / variance**0.5, 8), rel=1e-9)


def test_what_participants_explain_has_no_slope() -> None:
    people, cells = ["a", "a", "b", "b", "c", "c"], [("x",), ("y",)] * 3
    assert slope_within(people, cells, np.array([1.0, 1, 2, 2, 3, 3]), np.array([1.0, 2, 4, 3, 5, 7])) is None
    assert slope_within([], [], np.array([]), np.array([])) is None


def test_where_everyone_is_on_both_sides_a_difference_is_the_paired_test() -> None:
    rng = np.random.default_rng(1)
    first, second = rng.normal(4, 1, 15), rng.normal(4.3, 1, 15)
    people = [f"p{p:02}" for p in range(15)] * 2
    found = matched_difference(people, [("x",)] * 30, [False] * 15 + [True] * 15, [*first, *second])
    paired = stats.ttest_rel(second, first)
    assert found is not None
    assert found.estimate.se is not None
    assert found.estimate.value / found.estimate.se == pytest.approx(paired.statistic, rel=1e-10)
    assert found.estimate.p_value == pytest.approx(paired.pvalue, rel=1e-9)
    assert (found.estimate.freedom, found.cells, found.first_participants, found.second_participants) == (14, 1, 15, 15)


def test_between_equally_many_other_people_it_has_the_standard_error_of_welch() -> None:
    rng = np.random.default_rng(2)
    first, second = rng.normal(4, 1, 12), rng.normal(5, 2, 12)
    people = [f"p{p:02}" for p in range(24)]
    found = matched_difference(people, [("x",)] * 24, [False] * 12 + [True] * 12, [*first, *second])
    assert found is not None
    welch = stats.ttest_ind(second, first, equal_var=False)
    assert found.estimate.se is not None
    assert found.estimate.value / found.estimate.se == pytest.approx(welch.statistic, rel=1e-10)
    assert found.estimate.freedom == 11


def test_cells_weigh_the_same_and_those_of_one_side_do_not_count() -> None:
    people = ["a", "b", "c", "a", "a", "b"]
    cells = [("x",), ("x",), ("x",), ("x",), ("y",), ("y",)]
    second = [False, False, False, True, False, True]
    found = matched_difference([*people, "d"], [*cells, ("z",)], [*second, True], [1, 2, 3, 5, 4, 3, 7])
    # x: 5 - 2; y: 3 - 4; z was seen on one side alone
    assert found is not None
    assert (found.estimate.value, found.cells) == (1.0, 2)
    assert (found.first_participants, found.second_participants) == (3, 2)
    assert matched_difference(["a", "b"], [("x",), ("y",)], [False, True], [1, 2]) is None


def test_repeated_votes_are_averaged_first() -> None:
    found = matched_difference(["a", "a", "b", "c"], [("x",)] * 4, [False, False, False, True], [1, 3, 6, 5])
    assert found is not None
    assert found.estimate.value == 1.0


def test_without_degrees_of_freedom_there_is_no_interval() -> None:
    found = estimate(1.5, 0.2, 0)
    assert (found.value, found.se, found.ci_low, found.p_value) == (1.5, None, None, None)


def test_without_spread_there_is_no_p() -> None:
    found = estimate(0.5, 0.0, 4)
    assert (found.ci_low, found.ci_high, found.p_value) == (0.5, 0.5, None)
