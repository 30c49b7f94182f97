"""Tests of dependent correlations meet published examples and their definitions' limits."""

import numpy as np
import pytest

from eyelevel_stats.agreement.dependent import meng, zou
from eyelevel_stats.correlation import fisher_interval


def test_mengs_published_example() -> None:
    # Meng, Rosenthal, Rubin (1992): r .63 and -.03, rx -.19, N 15: z 1.68
    found = meng(0.63, -0.03, -0.19, 15)
    assert found is not None
    assert found.z == pytest.approx(1.679385, abs=5e-7)
    # two-sided p of that z by the table of the normal distribution
    assert found.p_value == pytest.approx(0.0931, abs=5e-5)


def test_meng_changes_sign_with_the_order_of_the_correlations() -> None:
    one, other = meng(0.63, -0.03, -0.19, 15), meng(-0.03, 0.63, -0.19, 15)
    assert one is not None
    assert other is not None
    assert (other.z, other.p_value) == pytest.approx((-one.z, one.p_value))


def test_mengs_f_is_at_most_one() -> None:
    # rx -.9 and r 0.5: f would be 1.9 / 1.5; with f = 1, h = 1 and z = z1 sqrt((n - 3) / (2 (1 - rx)))
    found = meng(0.5, -0.5, -0.9, 23)
    assert found is not None
    assert found.z == pytest.approx(2 * np.arctanh(0.5) * np.sqrt(20 / (2 * 1.9)))


def test_zous_published_example() -> None:
    # Zou (2007), example 2: r .396 and .179, rx .088, N 66: (-.093, .517)
    found = zou(0.396, 0.179, 0.088, 66)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((-0.092902, 0.516760), abs=5e-7)


def test_zous_interval_of_the_same_correlation_twice_is_the_skew_of_fishers_interval() -> None:
    found, fisher = zou(0.4, 0.4, 1.0, 30), fisher_interval(0.4, 30)
    assert found is not None
    assert fisher is not None
    skew = (0.4 - fisher.low) - (fisher.high - 0.4)
    assert (found.low, found.high) == pytest.approx((-skew, skew))


def test_zous_interval_of_uncorrelated_estimates_adds_both_reaches_in_squares() -> None:
    found, one = zou(0.3, 0.0, 0.0, 40), fisher_interval(0.3, 40)
    other = fisher_interval(0.0, 40)
    assert found is not None
    assert one is not None
    assert other is not None
    assert found.low == pytest.approx(0.3 - np.hypot(0.3 - one.low, other.high))
    assert found.high == pytest.approx(0.3 + np.hypot(one.high - 0.3, other.low))


@pytest.mark.parametrize(("first", "second", "between", "n"), [(1.0, 0.5, 0.5, 20), (0.5, -1.0, 0.5, 20), (0, 0, 0, 3)])
def test_certain_correlations_and_few_points_have_no_test(first: float, second: float, between: float, n: int) -> None:
    assert meng(first, second, between, n) is None
    assert zou(first, second, between, n) is None


def test_metrics_that_rank_alike_have_no_test() -> None:
    assert meng(0.5, 0.5, 1.0, 20) is None
