"""Probabilities of categories keep their digits in the tails, and their derivatives are those of log P."""

import numpy as np
import pytest
from scipy import stats

from eyelevel_stats.ordinal.links import Link, cumulative, log_probability, quantile, slopes

LOWER = np.array([-np.inf, -3.0, -0.5, 0.2, 2.0])
UPPER = np.array([-3.0, -0.5, 0.2, 2.0, np.inf])
DISTRIBUTION = {Link.LOGIT: stats.logistic, Link.PROBIT: stats.norm}


@pytest.mark.parametrize("link", Link)
def test_probabilities_are_differences_of_the_distribution_function(link: Link) -> None:
    theirs = DISTRIBUTION[link].cdf(UPPER) - DISTRIBUTION[link].cdf(LOWER)
    assert np.exp(slopes(link, LOWER, UPPER).log_p) == pytest.approx(theirs, rel=1e-12)
    assert np.exp(log_probability(link, LOWER, UPPER)).sum() == pytest.approx(1, abs=1e-14)
    assert cumulative(link, UPPER) == pytest.approx(DISTRIBUTION[link].cdf(UPPER), rel=1e-13)
    assert quantile(link, np.array([0.1, 0.7])) == pytest.approx(DISTRIBUTION[link].ppf([0.1, 0.7]), rel=1e-13)


@pytest.mark.parametrize("link", Link)
@pytest.mark.parametrize("side", [1, -1])
def test_both_far_tails_keep_their_digits(link: Link, side: int) -> None:
    near, far = (800.0, 801.0) if link is Link.LOGIT else (40.0, 41.0)
    lower, upper = sorted([side * near, side * far])
    # the difference of two survival functions, which are too small for a number that is not a logarithm
    of_near, of_far = DISTRIBUTION[link].logsf([near, far])
    theirs = of_near + np.log1p(-np.exp(of_far - of_near))
    assert log_probability(link, np.array([lower]), np.array([upper]))[0] == pytest.approx(theirs, rel=1e-12)


@pytest.mark.parametrize("side", [1, -1])
def test_logistic_slopes_are_known_where_the_probabilities_are_too_small_for_a_number(side: int) -> None:
    lower, upper = sorted([side * 800.0, side * 801.0])
    found = slopes(Link.LOGIT, np.array([lower]), np.array([upper]))
    # as in an exponential tail: density over the difference of two survival functions
    near, far = np.e / (np.e - 1), 1 / (np.e - 1)
    expected = (far, -near) if side == 1 else (near, -far)
    assert [found.upper[0][0], found.lower[0][0]] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("link", Link)
def test_derivatives_are_those_of_the_probability(link: Link) -> None:
    lower, upper, step = np.array([-1.3, 0.4, -0.2]), np.array([-0.4, 2.2, 0.9]), 1e-4
    density = [DISTRIBUTION[link].pdf(bound + shift) for bound in (upper, lower) for shift in (-step, 0, step)]
    p = np.exp(log_probability(link, lower, upper))
    found = slopes(link, lower, upper)
    for (below, at, above), sign, ours in zip(
        (density[:3], density[3:]), (1, -1), (found.upper, found.lower), strict=True
    ):
        assert ours[0] == pytest.approx(sign * at / p, rel=1e-12)
        assert ours[1] == pytest.approx(sign * (above - below) / (2 * step) / p, rel=1e-6)
        assert ours[2] == pytest.approx(sign * (above - 2 * at + below) / step**2 / p, rel=1e-5)


@pytest.mark.parametrize("link", Link)
def test_score_and_weight_are_derivatives_by_the_linear_predictor(link: Link) -> None:
    step, found = 1e-4, slopes(link, LOWER, UPPER)
    below, above = (log_probability(link, LOWER - shift, UPPER - shift) for shift in (-step, step))
    assert found.score == pytest.approx((above - below) / (2 * step), abs=1e-7)
    assert found.weight == pytest.approx(-(above - 2 * found.log_p + below) / step**2, abs=1e-6)
