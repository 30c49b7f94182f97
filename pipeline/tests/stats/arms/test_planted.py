"""Planted gains and planted nulls, many times over: the rates of error are those that are claimed."""

import numpy as np

from eyelevel_stats.arms import LogTest, anova, compare_logs, holm, overall

REPEATS = 600


def sample(random: np.random.Generator, log_mean: float, n: int, sd: float) -> list[float]:
    return [float(value) for value in np.exp(random.normal(log_mean, sd, n))]


def made(random: np.random.Generator, log_gain: float, runs: int = 6) -> LogTest:
    found = compare_logs(sample(random, 7 + log_gain, runs, 0.2), sample(random, 7, runs, 0.1))
    assert found is not None
    return found


def test_without_a_gain_one_test_in_twenty_is_below_five_percent_and_anova_one_in_a_hundred_below_one() -> None:
    random = np.random.default_rng(11)
    tests = [made(random, 0) for _ in range(REPEATS)]
    below = np.mean([test.p_value is not None and test.p_value < 0.05 for test in tests])
    # three standard errors of a share of 0.05 in 600 are 0.027
    assert abs(below - 0.05) < 0.027
    found = [anova(sample(random, 7, 31, 0.1), sample(random, 7, 31, 0.1)) for _ in range(REPEATS)]
    assert np.mean([test is not None and test.p_value < 0.01 for test in found]) < 0.01 + 3 * 0.0041


def test_holm_keeps_a_family_of_null_tests_free_of_findings() -> None:
    random = np.random.default_rng(12)
    families = [holm([made(random, 0).p_value for _ in range(10)]) for _ in range(120)]
    with_finding = np.mean([any(p is not None and p < 0.05 for p in family) for family in families])
    # three standard errors of a share of 0.05 in 120 are 0.06; uncorrected it would be 0.4
    assert with_finding < 0.11


def test_intervals_hold_the_planted_gain_nineteen_times_in_twenty() -> None:
    random = np.random.default_rng(13)
    planted = np.expm1(-0.12)
    tests = [made(random, -0.12) for _ in range(REPEATS)]
    held = np.mean([(t.gain_ci_low or 0) <= planted <= (t.gain_ci_high or 0) for t in tests])
    assert abs(held - 0.95) < 0.027


def test_the_interval_over_sites_holds_the_gain_of_sites_like_these_and_the_other_that_of_these_very_sites() -> None:
    random = np.random.default_rng(14)
    like_these, here, here_of_others = 0, 0, 0
    for _ in range(300):
        own = random.normal(-0.1, 0.15, 5)
        found = overall([made(random, float(gain)) for gain in own])
        assert found is not None
        assert found.gain_ci_low is not None
        assert found.gain_ci_high is not None
        assert found.here_ci_low is not None
        assert found.here_ci_high is not None
        like_these += found.gain_ci_low <= np.expm1(-0.1) <= found.gain_ci_high
        here += found.here_ci_low <= np.expm1(own.mean()) <= found.here_ci_high
        here_of_others += found.here_ci_low <= np.expm1(-0.1) <= found.here_ci_high
    # three standard errors of a share of 0.95 in 300 are 0.038
    assert abs(like_these / 300 - 0.95) < 0.038
    assert abs(here / 300 - 0.95) < 0.038
    # what the narrow interval must not be read as
    assert here_of_others / 300 < 0.85
