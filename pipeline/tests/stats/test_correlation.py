"""Coefficients agree with printed examples and with scipy, and are unknown where they are not defined."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from eyelevel_stats.correlation import Correlation, correlate, mean_ranks, settled, tied

# F. J. Anscombe, Graphs in statistical analysis (1973), first set; r, p and interval as R's cor.test prints them
ANSCOMBE_X = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5]
ANSCOMBE_Y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68]


def test_anscombes_first_set() -> None:
    found = correlate(ANSCOMBE_X, ANSCOMBE_Y)
    assert found.n == 11
    assert found.pearson == pytest.approx(0.8164205, abs=1e-7)
    assert found.p_value == pytest.approx(0.00217, abs=5e-6)
    assert (found.pearson_ci_low, found.pearson_ci_high) == pytest.approx((0.4243912, 0.9506933), abs=1e-7)
    assert found.spearman == pytest.approx(0.8181818, abs=1e-7)


def test_ties_share_their_mean_rank() -> None:
    # ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: 4.5 / sqrt(4.5 * 5)
    assert correlate([1, 2, 2, 3], [1, 2, 3, 4]).spearman == pytest.approx(0.9486833, abs=1e-7)


@pytest.mark.parametrize("n", [0, 1, 2])
def test_fewer_than_three_points_say_nothing(n: int) -> None:
    assert correlate([1, 2][:n], [3, 5][:n]) == Correlation(n, None, None, None, None, None)


def test_three_points_have_a_coefficient_but_no_interval() -> None:
    found = correlate([1, 2, 3], [1, 3, 2])
    assert found.pearson == pytest.approx(0.5)
    assert (found.pearson_ci_low, found.pearson_ci_high) == (None, None)
    assert found.p_value == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    "values",
    [
        [7 + step * 1e-12 for step in range(4)],
        [1e-8, 1e-8 * (1 + 1e-12), 1e-8, 1e-8],
        # around zero nothing is left to compare with
        [1e-17, -1e-17, 1e-17, -1e-17],
        [0.0, 3e-16, 1e-16, 2e-16],
        [1e-10, -1e-10, 9e-10, 0.0],
    ],
)
def test_noise_of_floating_point_is_no_variation(values: list[float]) -> None:
    assert correlate([1, 2, 3, 4], values) == Correlation(4, None, None, None, None, None)


def test_values_that_differ_by_noise_are_ties() -> None:
    exact, noisy = [1, 2, 2, 2, 5, 0.0], [1, 2, 2 + 1e-12, 2 - 1e-12, 5, 1e-17]
    scores = [3, 2, 5, 4, 1, 6]
    assert correlate(noisy, scores).spearman == correlate(exact, scores).spearman
    assert correlate([*noisy[:5], -1e-10], scores).spearman == correlate(exact, scores).spearman
    small = np.array([1e-8, 3e-8, 2e-8])
    assert settled(small) is small
    assert list(mean_ranks(small)) == [1, 3, 2]
    assert (tied(0.1 + 0.2, 0.3), tied(1e-17, -1e-17), tied(1.0, 1.000001)) == (True, True, False)


@pytest.mark.parametrize("constant", [4.0, 0.1 + 0.2, 0.0])
def test_a_constant_column_has_no_coefficient(constant: float) -> None:
    assert correlate([1, 2, 3, 4], [constant] * 4) == Correlation(4, None, None, None, None, None)
    assert correlate([constant] * 4, [1, 2, 3, 4]) == Correlation(4, None, None, None, None, None)


def test_rounding_is_not_variation() -> None:
    assert correlate([1, 2, 3], [0.3, 0.1 + 0.2, 0.3]).pearson is None


def test_a_straight_line_is_certain() -> None:
    assert correlate([1, 2, 3, 4], [8, 6, 4, 2]) == Correlation(4, -1.0, -1.0, -1.0, 0.0, -1.0)


def test_an_unknown_value_is_refused() -> None:
    with pytest.raises(ValueError, match="leave unknown points out"):
        correlate([1, 2, float("inf")], [1, 2, 3])


def test_columns_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="Columns differ in length: 1, 2"):
        correlate([1], [1, 2])


numbers = st.integers(-1000, 1000).map(lambda value: value / 8)


@given(st.lists(st.tuples(numbers, numbers), min_size=4, max_size=40))
def test_scipy_gives_the_same(points: list[tuple[float, float]]) -> None:
    x, y = [p[0] for p in points], [p[1] for p in points]
    assume(len(set(x)) > 1 and len(set(y)) > 1)
    found = correlate(x, y)
    expected = stats.pearsonr(x, y)
    assert found.pearson == pytest.approx(expected.statistic, abs=1e-9)
    assert found.spearman == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-9)
    assume(abs(expected.statistic) < 0.999999)
    assert found.p_value == pytest.approx(expected.pvalue, abs=1e-7)
    interval = expected.confidence_interval(0.95)
    assert (found.pearson_ci_low, found.pearson_ci_high) == pytest.approx((interval.low, interval.high), abs=1e-7)


@given(st.lists(st.tuples(numbers, numbers), min_size=3, max_size=20), st.sampled_from([1e-7, 1e9, 1e150]))
def test_the_unit_does_not_matter(points: list[tuple[float, float]], scale: float) -> None:
    x, y = [p[0] for p in points], [p[1] for p in points]
    raw, scaled = correlate(x, y), correlate([value * scale for value in x], y)
    assert (raw.pearson is None) == (scaled.pearson is None)
    if raw.pearson is not None:
        assert scaled.pearson == pytest.approx(raw.pearson, abs=1e-9)
