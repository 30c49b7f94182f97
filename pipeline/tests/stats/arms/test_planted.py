"""Planted gains and planted nulls, many times over: the rates of error are those that are claimed."""

from math import sqrt

import numpy as np
import pytest

from eyelevel_stats.arms import LogTest, anova, compare_logs, holm, overall


def often(repeats: int, soaked: int) -> pytest.MarkDecorator:
    """A seed and a number of repetitions, and in `make soak` five other seeds with more."""
    soak = [pytest.param(seed, soaked, marks=pytest.mark.soak) for seed in range(100, 105)]
    return pytest.mark.parametrize(("seed", "repeats"), [(11, repeats), *soak])


def bound(share: float, repeats: int) -> float:
    """Four standard errors of a share: one of 16,000 seeds is outside."""
    return 4 * sqrt(share * (1 - share) / repeats)


def sample(random: np.random.Generator, log_mean: float, n: int, sd: float) -> list[float]:
    return [float(value) for value in np.exp(random.normal(log_mean, sd, n))]


def log_test(random: np.random.Generator, log_gain: float, runs: int = 6) -> LogTest:
    found = compare_logs(sample(random, 7 + log_gain, runs, 0.2), sample(random, 7, runs, 0.1))
    assert found is not None
    return found


@often(600, 4000)
def test_without_a_gain_one_test_in_twenty_is_below_five_percent_and_anova_one_in_a_hundred_below_one(
    seed: int, repeats: int
) -> None:
    random = np.random.default_rng(seed)
    tests = [log_test(random, 0) for _ in range(repeats)]
    below = np.mean([test.p_value is not None and test.p_value < 0.05 for test in tests])
    assert abs(below - 0.05) < bound(0.05, repeats)
    found = [anova(sample(random, 7, 31, 0.1), sample(random, 7, 31, 0.1)) for _ in range(repeats)]
    assert np.mean([test is not None and test.p_value < 0.01 for test in found]) < 0.01 + bound(0.01, repeats)


@often(120, 800)
def test_holm_keeps_a_family_of_null_tests_free_of_findings(seed: int, repeats: int) -> None:
    random = np.random.default_rng(seed)
    families = [holm([log_test(random, 0).p_value for _ in range(10)]) for _ in range(repeats)]
    with_finding = np.mean([any(p is not None and p < 0.05 for p in family) for family in families])
    # uncorrected it would be 0.4
    assert with_finding < 0.05 + bound(0.05, repeats)


@often(600, 4000)
def test_intervals_hold_the_planted_gain_nineteen_times_in_twenty(seed: int, repeats: int) -> None:
    random = np.random.default_rng(seed)
    planted = np.expm1(-0.12)
    tests = [log_test(random, -0.12) for _ in range(repeats)]
    held = np.mean([(t.gain_ci_low or 0) <= planted <= (t.gain_ci_high or 0) for t in tests])
    assert abs(held - 0.95) < bound(0.95, repeats)


@often(300, 1500)
def test_the_interval_over_sites_holds_the_gain_of_sites_like_these_and_the_other_that_of_these_very_sites(
    seed: int, repeats: int
) -> None:
    random = np.random.default_rng(seed)
    like_these, here, here_of_others = 0, 0, 0
    for _ in range(repeats):
        gains = random.normal(-0.1, 0.15, 5)
        found = overall([log_test(random, float(gain)) for gain in gains])
        assert found is not None
        assert found.gain_ci_low is not None
        assert found.gain_ci_high is not None
        assert found.here_ci_low is not None
        assert found.here_ci_high is not None
        like_these += found.gain_ci_low <= np.expm1(-0.1) <= found.gain_ci_high
        here += found.here_ci_low <= np.expm1(gains.mean()) <= found.here_ci_high
        here_of_others += found.here_ci_low <= np.expm1(-0.1) <= found.here_ci_high
    assert abs(like_these / repeats - 0.95) < bound(0.95, repeats)
    assert abs(here / repeats - 0.95) < bound(0.95, repeats)
    # what the narrow interval must not be read as
    assert here_of_others / repeats < 0.85
