import numpy as np
import pytest
from scipy import stats

from eyelevel_stats.arms import (
    anova,
    compare_blocks,
    compare_logs,
    compare_shares,
    difference,
    empirical_distribution,
    mean_gain,
    overall,
    performance_gain,
    smallest_log_difference,
    verdict,
)


def test_the_gain_is_the_papers() -> None:
    found = performance_gain([80, 100], [100, 140])
    assert found is not None
    assert (found.mean_new_ms, found.mean_reference_ms, found.difference_ms, found.gain) == (90, 120, -30, -0.25)
    assert performance_gain([], [1]) is None
    assert performance_gain([1], []) is None


def test_the_distribution_steps_once_per_distinct_value() -> None:
    assert empirical_distribution([3, 1, 1, 2]) == [(1, 0.5), (2, 0.75), (3, 1)]
    assert empirical_distribution([]) == []


def test_the_lower_mean_is_faster_only_below_the_level_of_2019() -> None:
    slow, fast = [110.0, 111.0, 109.0, 110.5], [100.0, 101.0, 99.0, 100.5]
    assert verdict(anova(fast, slow)) == "new"
    assert verdict(anova(slow, fast)) == "reference"
    assert verdict(anova([100, 120, 90], [101, 119, 95])) == "undecided"
    # p lies between 0.01 and 0.05 here
    close = [100.0, 102.0, 104.0], [105.0, 107.0, 108.0]
    test = anova(*close)
    assert test is not None
    assert 0.01 < test.p_value < 0.05
    assert verdict(test) == "undecided"
    assert verdict(test, level=0.05) == "new"


def test_one_run_or_runs_without_spread_give_no_verdict() -> None:
    assert verdict(anova([1], [2, 3])) is None
    assert verdict(anova([5, 5], [6, 6])) is None


def test_one_run_an_arm_gives_a_gain_and_a_reason_for_the_rest() -> None:
    found = compare_logs([50], [100, 100])
    assert found is not None
    assert found.gain == pytest.approx(-0.5)
    assert (found.p_value, found.gain_ci_low, found.hedges_g, found.smallest_speed_up) == (None, None, None, None)
    assert found.reason == "fewer than 2 runs"
    same = compare_logs([60, 60], [60, 60])
    assert same is not None
    assert (same.gain, same.reason) == (0, "no run differs from another")
    assert compare_logs([], [1]) is None


def test_an_arm_that_all_ended_at_the_limit_is_compared_without_a_warning() -> None:
    found = compare_logs([60_000.0, 60_000.0, 60_000.0], [30_000.0, 31_000.0, 29_000.0])
    assert found is not None
    assert found.gain == pytest.approx(1.0, abs=0.01)
    assert found.p_value is not None
    assert found.p_value < 0.01
    assert found.superiority == 0


def test_superiority_is_the_share_of_pairs_of_runs_that_new_wins() -> None:
    found = compare_logs([1, 4], [2, 3, 4])
    assert found is not None
    assert found.superiority == pytest.approx((3 + 0.5) / 6)


def test_hedges_g_is_cohens_d_on_logs_freed_of_its_bias() -> None:
    new, reference = [100.0, 110.0, 121.0], [150.0, 165.0, 140.0]
    found = compare_logs(new, reference)
    assert found is not None
    a, b = np.log(new), np.log(reference)
    d = (a.mean() - b.mean()) / np.sqrt((a.var(ddof=1) + b.var(ddof=1)) / 2)
    assert found.hedges_g == pytest.approx(d * (1 - 3 / (4 * 4 - 1)), rel=0.005)


def test_blocks_are_compared_within() -> None:
    blocks = [(90.0, 100.0), (185.0, 200.0), (270.0, 300.0), (368.0, 400.0)]
    found = compare_blocks(blocks)
    assert found is not None
    scipy = stats.ttest_rel(np.log([new for new, _ in blocks]), np.log([reference for _, reference in blocks]))
    assert found.p_value == pytest.approx(scipy.pvalue, rel=1e-9)
    assert found.superiority == 1
    apart = compare_logs([new for new, _ in blocks], [reference for _, reference in blocks])
    assert apart is not None
    assert apart.p_value is not None
    assert found.p_value is not None
    assert found.p_value < 0.01
    assert apart.p_value > 0.5
    assert compare_blocks([]) is None
    single = compare_blocks(blocks[:1])
    assert single is not None
    assert (single.p_value, single.reason) == (None, "fewer than 2 runs")


def test_one_site_gives_no_interval_for_others_but_one_for_itself() -> None:
    test = compare_logs([90, 95, 92], [100, 101, 99])
    assert test is not None
    found = overall([test])
    assert found is not None
    assert (found.gain_ci_low, found.p_value, found.reason) == (None, None, "one site says nothing about others")
    assert (found.here_ci_low, found.here_ci_high) == pytest.approx((test.gain_ci_low, test.gain_ci_high))
    assert found.here_p_value == pytest.approx(test.p_value)
    assert overall([]) is None


def test_the_found_difference_has_the_power_that_is_claimed() -> None:
    """Simulated: with the smallest difference planted, Welch's test finds four in five."""
    size = smallest_log_difference(0.1, 8, 0.2, 12, level=0.05)
    assert size is not None
    random = np.random.default_rng(5)
    new, reference = random.normal(-size, 0.1, (8, 20_000)), random.normal(0, 0.2, (12, 20_000))
    found = stats.ttest_ind(new, reference, equal_var=False).pvalue < 0.05
    assert found.mean() == pytest.approx(0.8, abs=0.015)


def test_alignment_has_an_interval_and_the_floor_is_its_far_end() -> None:
    found = difference([([10.0, 12.0, 11.0], [8.0, 9.0, 10.0])])
    assert found is not None
    test = stats.ttest_ind([10, 12, 11], [8, 9, 10], equal_var=False)
    scipy = test.confidence_interval(0.95)
    assert (found.ci_low, found.ci_high) == pytest.approx((scipy.low, scipy.high))
    assert found.p_value == pytest.approx(test.pvalue)
    assert found.floor == found.ci_high
    alone = difference([([1.0], [2.0])])
    assert alone is not None
    assert (alone.difference, alone.ci_low, alone.floor) == (-1, None, None)
    assert difference([([], [1.0])]) is None
    same = difference([([3.0, 3.0], [1.0, 1.0])])
    assert same is not None
    assert (same.difference, same.ci_low, same.ci_high, same.p_value) == (2, 2, 2, None)


def test_what_both_arms_of_a_stratum_share_does_not_widen_the_interval() -> None:
    late = difference([([10.0, 12.0], [9.0, 11.0]), ([-250.0, -248.0], [-251.0, -249.0])])
    near = difference([([10.0, 12.0], [9.0, 11.0]), ([0.0, 2.0], [-1.0, 1.0])])
    assert late == near
    assert near is not None
    assert near.difference == 1
    # four variances of means, 1 each: the standard error is sqrt(4) / 2, with 4 degrees of freedom
    assert near.ci_high == pytest.approx(1 + float(stats.t.ppf(0.975, 4)))


def test_strata_count_once_and_those_without_a_spread_are_left_to_others() -> None:
    found = difference([([1.0, 1.5, 2.0], [0.0, 0.5]), ([5.0, 6.0], [1.0, 1.0]), ([90.0], [1.0, 2.0]), ([], [7.0])])
    assert found is not None
    assert (found.n_new, found.n_reference) == (5, 4)
    assert found.difference == pytest.approx((1.25 + 4.5) / 2)


def test_the_interval_within_strata_covers_what_it_says() -> None:
    random = np.random.default_rng(11)
    covered = 0
    for _ in range(2000):
        found = difference([
            (random.normal(base + 2, sd, 3).tolist(), random.normal(base, 2 * sd, 3).tolist())
            for base, sd in ((0, 3.0), (-250, 5.0), (8, 8.0))
        ])  # fmt: skip
        assert found is not None
        assert found.ci_low is not None
        assert found.ci_high is not None
        covered += found.ci_low <= 2 <= found.ci_high
    assert covered / 2000 == pytest.approx(0.95, abs=0.02)


def test_shares_are_compared_exactly() -> None:
    found = compare_shares(8, 10, 1, 10)
    assert found.p_value == pytest.approx(stats.fisher_exact([[8, 2], [1, 9]]).pvalue)
    assert compare_shares(0, 0, 1, 2).p_value is None
    with pytest.raises(ValueError, match="between 0 and its trials"):
        compare_shares(3, 2, 0, 1)


def test_ranks_of_few_runs_are_counted_out() -> None:
    """All of one arm before all of the other: 2 of the 20 ways to deal three and three. One direction: 2 of 2 ** n."""
    apart = compare_logs([100, 110, 120], [200, 210, 220])
    assert apart is not None
    assert apart.rank_p_value == pytest.approx(2 / 20)
    for n in (3, 5):
        blocks = compare_blocks([(100 + 10 * i, 200 + i) for i in range(n)])
        assert blocks is not None
        assert blocks.rank_p_value == pytest.approx(2 / 2**n)


def test_ranks_of_many_runs_are_told_as_scipy_tells_them() -> None:
    random = np.random.default_rng(5)
    new, reference = (np.exp(random.normal(mean, 0.2, size=60)) * 500 for mean in (0, 0.1))
    welch, paired = compare_logs([*new], [*reference]), compare_blocks([*zip(new, reference, strict=True)])
    assert welch is not None
    assert paired is not None
    assert welch.rank_p_value == pytest.approx(stats.mannwhitneyu(new, reference, method="asymptotic").pvalue)
    ratios = np.log(new / reference)
    corrected = stats.wilcoxon(ratios, method="asymptotic", correction=True)
    assert paired.rank_p_value == pytest.approx(corrected.pvalue)


def test_blocks_have_students_interval_of_their_differences() -> None:
    new, old = [10.0, 22.0, 31.0, 44.0], [11.0, 25.0, 33.0, 45.0]
    found = difference([(new, old)], paired=True)
    assert found is not None
    theirs = stats.ttest_rel(new, old)
    interval = theirs.confidence_interval()
    assert (found.ci_low, found.ci_high, found.p_value) == pytest.approx((interval.low, interval.high, theirs.pvalue))
    assert (found.difference, found.n_new, found.strata) == (-1.75, 4, 1)
    with pytest.raises(ValueError, match="zip"):
        difference([(new, old[:3])], paired=True)


@pytest.mark.parametrize("paired", [True, False])
def test_the_interval_of_a_gain_of_means_is_that_of_the_bootstrap(paired: bool) -> None:
    """By scipy, percentiles of 9999 draws of blocks, or of each arm."""
    random = np.random.default_rng(4)
    shared = random.normal(0, 0.2, 200) if paired else np.zeros(200)
    new = 90 * np.exp(random.normal(0, 0.1, 200) + shared)
    old = 100 * np.exp(random.normal(0, 0.1, 200) + shared)
    found = mean_gain([(new.tolist(), old.tolist())], paired=paired)
    assert found is not None
    assert found.difference == pytest.approx(new.mean() / old.mean() - 1)
    theirs = stats.bootstrap(
        (new, old), lambda a, b, axis: a.mean(axis) / b.mean(axis) - 1, paired=paired, method="percentile", rng=5
    ).confidence_interval
    width = theirs.high - theirs.low
    assert (found.ci_low, found.ci_high) == pytest.approx((theirs.low, theirs.high), abs=0.06 * width)
    assert width < 0.05


def test_strata_like_these_have_students_interval_over_the_strata() -> None:
    strata = [([10.0, 14.0], [20.0, 24.0]), ([30.0, 30.0], [32.0, 34.0]), ([50.0, 60.0], [50.0, 50.0])]
    for found, values in (
        (difference(strata, paired=True), [-10.0, -3.0, 5.0]),
        (mean_gain(strata), [-10 / 22, -3 / 33, 5 / 50]),
    ):
        assert found is not None
        assert found.strata_ci is not None
        theirs = stats.ttest_1samp(values, 0).confidence_interval()
        assert (found.strata_ci.low, found.strata_ci.high) == pytest.approx((theirs.low, theirs.high))
    alone = difference(strata[:1])
    assert alone is not None
    assert alone.strata_ci is None


def test_gains_of_several_strata_count_once_each() -> None:
    strata = [([90.0, 92.0], [100.0, 100.0]), ([210.0, 230.0, 220.0], [200.0, 200.0, 200.0])]
    found = mean_gain(strata)
    assert found is not None
    assert found.difference == pytest.approx((-0.09 + 0.10) / 2)
    assert found.p_value is None
    alone = mean_gain([([90.0], [100.0])])
    assert alone is not None
    assert alone.difference == pytest.approx(-0.1)
    assert alone.ci_low is None
    assert mean_gain([([], [1.0])]) is None
