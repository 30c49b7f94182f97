"""Mapping and prediction errors meet the worked vector of P.1401's formulas and fits by numpy."""

import numpy as np
import pytest
from scipy import stats

from eyelevel_stats.agreement.mapping import Errors, larger_rmse_p, monotone_mapping, prediction_errors

MOS = np.array([1.5, 2.5, 3.5, 4.5, 5.5])
PREDICTED = np.array([1.7, 2.4, 3.9, 4.4, 5.0])


def test_errors_of_the_worked_vector() -> None:
    # squared errors .04 .01 .16 .01 .25: sqrt(.47 / 4); beyond .2: .2 and .3: sqrt(.13 / 4); two of five
    found = prediction_errors(MOS, PREDICTED, np.full(5, 0.2), freedom=1)
    assert found.rmse == pytest.approx(0.342783, abs=5e-7)
    assert found.rmse_star == pytest.approx(0.180278, abs=5e-7)
    assert found.outlier_ratio == pytest.approx(0.4)


def test_rmse_divides_by_the_number_of_clips_less_the_fitted_coefficients() -> None:
    found = prediction_errors(MOS, PREDICTED, np.full(5, 0.2), freedom=4)
    assert found.rmse == pytest.approx(np.sqrt(0.47))
    assert found.rmse_star == pytest.approx(np.sqrt(0.13))


def test_an_error_as_large_as_its_interval_is_no_outlier() -> None:
    found = prediction_errors(np.array([1.1, 3.0]), np.array([1.0, 3.0]), np.array([0.1, 0.1]), freedom=1)
    assert found.outlier_ratio == 0


def test_without_intervals_only_rmse_is_known() -> None:
    found = prediction_errors(MOS, PREDICTED, None, freedom=1)
    assert found == Errors(found.rmse, None, None)


def test_as_many_coefficients_as_clips_leave_no_error() -> None:
    with pytest.raises(ValueError, match="5 clips leave no error of a mapping with 5 coefficients"):
        prediction_errors(MOS, PREDICTED, None, freedom=5)


def test_a_monotone_cubic_is_the_least_squares_fit() -> None:
    rng = np.random.default_rng(1)
    values = rng.uniform(500, 5000, 30)
    mos = 6 - 1.2 * np.log(values / 500) + rng.normal(0, 0.1, 30)
    found = monotone_mapping(values, mos)
    assert found is not None
    assert (found.kind, found.freedom) == ("cubic", 4)
    np.testing.assert_allclose(found.predicted, np.polynomial.Polynomial.fit(values, mos, 3)(values), atol=1e-9)


def test_a_cubic_that_turns_within_the_values_gives_way_to_a_line() -> None:
    values = np.linspace(0, 10, 21)
    mos = np.sin(values)
    found = monotone_mapping(values, mos)
    assert found is not None
    assert (found.kind, found.freedom) == ("linear", 2)
    np.testing.assert_allclose(found.predicted, np.polynomial.Polynomial.fit(values, mos, 1)(values), atol=1e-9)


def test_a_cubic_whose_slope_changes_only_between_the_ends_is_not_monotone() -> None:
    values = np.linspace(-1, 1, 21)
    # slope 3 x^2 - 0.3: above 0 at both ends, below 0 in the middle
    found = monotone_mapping(values, values**3 - 0.3 * values)
    assert found is not None
    assert found.kind == "linear"


@pytest.mark.parametrize("power", [2, 3])
def test_a_cubic_whose_slope_reaches_zero_is_monotone(power: int) -> None:
    values = np.linspace(0, 7, 12)
    mos = -(values**power)
    found = monotone_mapping(values, mos)
    assert found is not None
    assert found.kind == "cubic"
    np.testing.assert_allclose(found.predicted, mos, atol=1e-9)


def test_three_different_values_are_mapped_by_a_line() -> None:
    found = monotone_mapping(np.array([1.0, 1, 2, 2, 3, 3]), np.array([5.0, 4, 4, 3, 2, 1]))
    assert found is not None
    assert found.kind == "linear"


@pytest.mark.parametrize("values", [[], [3.0], [0.1 + 0.2, 0.3, 0.3], [0.0, 0.0]])
def test_a_constant_metric_predicts_nothing(values: list[float]) -> None:
    assert monotone_mapping(np.array(values), np.zeros(len(values))) is None


def test_the_f_test_is_scipys() -> None:
    found = larger_rmse_p(0.9, 0.6, freedom_larger=26, freedom_smaller=28)
    assert found == pytest.approx(stats.f.sf(0.9**2 / 0.6**2, 26, 28))


def test_a_metric_without_error_is_better_than_any_other() -> None:
    assert larger_rmse_p(0.1, 0.0, freedom_larger=9, freedom_smaller=9) == 0
    assert larger_rmse_p(0.0, 0.0, freedom_larger=9, freedom_smaller=9) is None
