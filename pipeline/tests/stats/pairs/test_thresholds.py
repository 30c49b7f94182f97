"""Slopes and thresholds of answers against the ratio of Speed Indexes."""

from math import log, sqrt

import numpy as np
import pytest
from scipy import optimize, stats

from eyelevel_stats.pairs.likelihood import Fit
from eyelevel_stats.pairs.observations import Choice, PairVote
from eyelevel_stats.pairs.slopes import slope_rows, slopes
from eyelevel_stats.pairs.thresholds import threshold_rows
from eyelevel_stats.rows.comparisons import ThresholdRow

from .people import LEFT, NONE, RIGHT

FAST_MS = 1000.0


def seen(ratio: float, faster: int, slower: int, none: int, *, network: str = "DSL", mark: str = "") -> list[PairVote]:
    """Counts of answers that name the faster side, the slower one and none, for each order; all by other people."""
    votes: list[PairVote] = []
    for name, sides, choices in (
        ("l", (FAST_MS, FAST_MS * ratio), LEFT * faster + RIGHT * slower + NONE * none),
        ("r", (FAST_MS * ratio, FAST_MS), RIGHT * faster + LEFT * slower + NONE * none),
    ):
        votes += [
            PairVote(f"{mark}{network}{ratio}{name}{n}", "s", network, "A", "B", choice, *sides)
            for n, choice in enumerate(choices)
        ]
    return votes


def drawn(seed: int, slope: float, bias: float, nu: float, people: int = 300) -> list[PairVote]:
    """Ten answers of each person, drawn from definition E12's model."""
    rng = np.random.default_rng(seed)
    votes = []
    for person in range(people):
        for x in rng.uniform(-0.7, 0.7, 10):
            eta = slope * x + bias
            weights = np.array([np.exp(eta / 2), nu, np.exp(-eta / 2)])
            choices: tuple[Choice, ...] = ("left", "none", "right")
            choice = choices[rng.choice(3, p=weights / weights.sum())]
            votes.append(PairVote(f"p{person}", "s", "DSL", "A", "B", choice, FAST_MS, FAST_MS * float(np.exp(x))))
    return votes


def of(votes: list[PairVote], threshold: str = "discrimination", network: str = "DSL") -> ThresholdRow:
    (row,) = [
        row
        for row in threshold_rows(slopes(votes))
        if (row.threshold, row.network) == (threshold, network)
    ]  # fmt: skip
    return row


def test_slope_and_side_bias_are_recovered() -> None:
    (row,) = slope_rows(slopes(drawn(1, slope=4.0, bias=0.5, nu=1.5)))
    assert row.slope == pytest.approx(4.0, abs=0.35)
    assert row.side_bias == pytest.approx(0.5, abs=0.15)
    assert row.nu == pytest.approx(1.5, abs=0.15)
    assert row.slope is not None
    assert row.slope_ci_low is not None
    assert row.slope_ci_high is not None
    assert row.slope_ci_low < 4 < row.slope_ci_high
    assert row.side_bias_ci_low is not None
    assert row.side_bias_ci_high is not None
    assert 0.3 < row.side_bias_ci_low < 0.5 < row.side_bias_ci_high < 0.7
    assert (row.n, row.unknown, row.participants, row.why) == (3000, 0, 300, None)


def test_side_bias_is_unknown_where_one_ratio_was_shown_in_one_order() -> None:
    (row,) = slope_rows(slopes(seen(1.25, 75, 25, 10)[:110]))
    assert (row.side_bias, row.side_bias_ci_low, row.side_bias_ci_high, row.why) == (None, None, None, None)
    assert row.slope == pytest.approx(log(3) / log(1.25))


def test_the_discrimination_threshold_is_where_75_percent_of_the_decided_answers_are_right() -> None:
    # three of four decided answers name the faster side at 25 %, nine of ten at 56.25 %: one slope fits both
    row = of(seen(1.0, 50, 50, 0) + seen(1.25, 75, 25, 0) + seen(1.5625, 90, 10, 0))
    assert row.value == pytest.approx(0.25)
    # it does not depend on how many answer none
    assert of(seen(1.25, 75, 25, 30)).value == pytest.approx(0.25)
    assert of(seen(1.25, 75, 25, 90)).why is None


def test_its_interval_is_that_of_the_slope() -> None:
    votes = seen(1.1, 60, 40, 30) + seen(1.6, 85, 15, 10)
    row, (line,) = of(votes), slope_rows(slopes(votes))
    assert line.slope_ci_low is not None
    assert line.slope_ci_high is not None
    assert row.ci_low == pytest.approx(3 ** (1 / line.slope_ci_high) - 1)
    assert row.ci_high == pytest.approx(3 ** (1 / line.slope_ci_low) - 1)


def test_the_interval_of_a_slope_is_students_clustered_by_participant() -> None:
    # one ratio in both orders, without ties: b = ln 3 / ln 1.25, by reciprocal counts (B. Woolf 1955)
    (row,) = slope_rows(slopes(seen(1.25, 75, 25, 0)))
    se = sqrt((1 / 75 + 1 / 25) / 2 * 200 / 199) / log(1.25)
    half = stats.t.ppf(0.975, 199) * se
    assert row.slope == pytest.approx(log(3) / log(1.25))
    assert (row.slope_ci_low, row.slope_ci_high) == pytest.approx((row.slope - half, row.slope + half))
    twice = slope_rows(slopes(seen(1.25, 75, 25, 0) * 2))[0]
    assert (twice.n, twice.participants) == (400, 200)
    assert (twice.slope_ci_low, twice.slope_ci_high) == pytest.approx((row.slope_ci_low, row.slope_ci_high))


def test_the_indifference_threshold_is_where_none_is_as_frequent_as_the_faster_side() -> None:
    # at 30 %, 40 name the faster side, 40 none and 10 the slower one
    votes = seen(1.3, 40, 10, 40)
    assert slope_rows(slopes(votes))[0].nu == pytest.approx(2)
    assert of(votes, "indifference").value == pytest.approx(0.3)


def test_its_interval_is_fiellers() -> None:
    votes = drawn(2, slope=4.0, bias=0.2, nu=1.8)
    (line,) = slopes(votes)
    row = of(votes, "indifference")
    assert isinstance(line.fit, Fit)
    assert line.fit.clustered is not None
    assert row.value is not None
    slope, double = float(line.fit.values[0]), 2 * float(line.fit.values[2])
    spread = line.fit.clustered
    limit = stats.t.ppf(0.975, 299)

    def beyond(ratio: float) -> float:
        # the hypothesis 2 ln nu = ratio * b is tested by t; the ends are where it is just not rejected
        variance = 4 * spread[2, 2] - 4 * ratio * spread[0, 2] + ratio**2 * spread[0, 0]
        return float(abs(double - ratio * slope) / sqrt(variance) - limit)

    centre = double / slope
    low, high = optimize.brentq(beyond, centre - 0.2, centre), optimize.brentq(beyond, centre, centre + 0.2)
    assert row.value == pytest.approx(np.exp(centre) - 1)
    assert (row.ci_low, row.ci_high) == pytest.approx((np.exp(low) - 1, np.exp(high) - 1), rel=1e-6)


def test_its_interval_does_not_go_below_0() -> None:
    row = of(seen(1.02, 26, 25, 27) + seen(2.0, 50, 10, 23), "indifference")
    assert row.value is not None
    assert 0 < row.value < 0.2
    assert row.ci_low == 0


def test_an_interval_whose_slope_nearly_contains_0_has_no_upper_end() -> None:
    votes = seen(1.5, 5, 1, 0) + seen(4.0, 5, 1, 0)
    (line,) = slope_rows(slopes(votes))
    assert line.slope_ci_low is not None
    assert 0 < line.slope_ci_low < log(3) / log(1000)
    row = of(votes)
    assert row.value is not None
    assert row.ci_low is not None
    assert (row.ci_low < row.value, row.ci_high, row.why) == (True, None, None)


def test_a_threshold_far_beyond_all_ratios_is_named_without_its_number() -> None:
    why = of(seen(1.5, 20, 18, 0) + seen(40.0, 30, 20, 0)).why
    assert why == "its ratio of Speed Indexes, above 1000, is outside the observed ones, 1.50 to 40.00"


def test_an_indifference_threshold_needs_nu_above_1() -> None:
    row = of(seen(1.25, 75, 25, 10) + seen(2.0, 95, 5, 5), "indifference")
    assert (row.value, row.ci_low, row.ci_high) == (None, None, None)
    assert row.why is not None
    assert "only above 1, none is the most frequent answer" in row.why


def test_there_is_no_threshold_where_the_interval_of_the_slope_contains_0() -> None:
    for kind in ("discrimination", "indifference"):
        row = of(seen(1.25, 11, 10, 60), kind)
        assert (row.value, row.ci_low, row.ci_high) == (None, None, None)
        assert row.why is not None
        assert row.why.startswith("the interval of the slope, -")
        assert row.why.endswith("contains 0")


def test_there_is_no_threshold_where_the_slower_side_is_chosen() -> None:
    assert of(seen(1.25, 25, 75, 10)).why == "the slower side is chosen more often"


def test_a_threshold_outside_the_observed_ratios_is_not_given() -> None:
    # 3 to 2 at 30 %, and 9 to 1 at 30 %: 75 % are reached far beyond, or far below
    for faster, slower in ((60, 40), (90, 10)):
        row = of(seen(1.3, faster, slower, 10) + seen(1.4, faster, slower, 10))
        assert (row.value, row.ci_low, row.ci_high) == (None, None, None)
        assert row.why is not None
        assert row.why.startswith("its ratio of Speed Indexes, ")
        assert row.why.endswith(" is outside the observed ones, 1.30 to 1.40")


def test_few_participants_give_a_slope_and_no_threshold() -> None:
    votes = [vote._replace(participant="p") for vote in seen(1.25, 75, 25, 10)]
    (line,) = slope_rows(slopes(votes))
    assert line.slope == pytest.approx(log(3) / log(1.25))
    assert (line.slope_ci_low, line.side_bias_ci_low) == (None, None)
    assert of(votes).why == "1 participants are too few for an interval of the slope"


@pytest.mark.parametrize(
    ("votes", "why"),
    [
        (seen(1.25, 0, 0, 5), "every answer is none, or all pairs are equally fast on both sides"),
        (seen(1.0, 5, 5, 5), "every answer is none, or all pairs are equally fast on both sides"),
        (seen(1.25, 5, 0, 0), "the answers are separated completely by the ratio or the side"),
        ([vote._replace(left_si_ms=None) for vote in seen(1.25, 7, 5, 5)], "no pair has both Speed Indexes"),
        ([vote._replace(right_si_ms=0.0) for vote in seen(1.25, 7, 5, 5)], "no pair has both Speed Indexes"),
    ],
)
def test_what_cannot_be_estimated_is_unknown_with_a_reason(votes: list[PairVote], why: str) -> None:
    (line,) = slope_rows(slopes(votes))
    assert (line.slope, line.nu, line.log_likelihood) == (None, None, None)
    assert line.why is not None
    assert line.why.startswith(why)
    assert {of(votes, kind).why for kind in ("discrimination", "indifference")} == {line.why}


def test_votes_without_speed_index_are_counted_apart() -> None:
    votes = seen(1.25, 75, 25, 10)
    without = [vote._replace(right_si_ms=None, participant="q") for vote in votes[:7]]
    with_all, alone = slope_rows(slopes([*votes, *without]))[0], slope_rows(slopes(votes))[0]
    assert (with_all.n, with_all.unknown, with_all.participants) == (220, 7, 220)
    assert with_all.slope == alone.slope
    assert (with_all.least_ratio, with_all.greatest_ratio) == pytest.approx((1.25, 1.25))


def test_several_networks_have_a_pooled_row_and_one_has_none() -> None:
    dsl, lte = seen(1.25, 75, 25, 10), seen(1.25, 60, 40, 10, network="LTE")
    assert [row.network for row in slope_rows(slopes(dsl))] == ["DSL"]
    rows = slope_rows(slopes([*lte, *dsl]))
    assert [(row.network, row.n) for row in rows] == [("DSL", 220), ("LTE", 220), ("pooled", 440)]
    assert [row.slope for row in rows] == pytest.approx(
        [log(3) / log(1.25), log(1.5) / log(1.25), log(135 / 65) / log(1.25)]
    )
