"""The covariance of random effects, as standard deviations and correlation."""

import pytest

from eyelevel_stats.ordinal.estimates import Variation


def test_deviations_and_correlation_are_those_of_the_covariance() -> None:
    found = Variation("participant", ("intercept", "arm"), ((4.0, -0.6), (-0.6, 0.25)))
    assert (found.sd(0), found.sd(1)) == (2.0, 0.5)
    assert found.correlation() == pytest.approx(-0.6)


def test_without_a_slope_or_with_a_variance_of_0_there_is_no_correlation() -> None:
    assert Variation("clip", ("intercept",), ((1.0,),)).correlation() is None
    assert Variation("site", ("intercept", "arm"), ((1.0, 0.0), (0.0, 0.0))).correlation() is None
