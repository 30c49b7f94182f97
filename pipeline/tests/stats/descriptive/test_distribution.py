"""Counts and shares of scores by hand, and Wilson's interval as statsmodels computes it."""

import pytest
from statsmodels.stats.proportion import proportion_confint

from eyelevel_stats.descriptive.distribution import end_effect, score_rows, share_rows
from eyelevel_stats.observations import Rating


def vote(participant: str, score: float, site: str = "garden", stack: str = "QUIC", context: str = "work") -> Rating:
    return Rating(participant, site, "DSL", stack, context, f"{site}-{stack}", score)


def ten(scores: list[float]) -> list[Rating]:
    return [vote(f"p{i}", score) for i, score in enumerate(scores)]


def test_every_value_of_the_scale_has_a_row_with_its_share() -> None:
    rows = score_rows(ten([2, 2, 5, 7]), scale=(1, 7))
    pooled = [row for row in rows if row.site is None]
    assert [(row.score, row.count, row.share) for row in pooled] == [
        (1, 0, 0.0),
        (2, 2, 0.5),
        (3, 0, 0.0),
        (4, 0, 0.0),
        (5, 1, 0.25),
        (6, 0, 0.0),
        (7, 1, 0.25),
    ]
    assert {(row.network, row.stack, row.context, row.votes) for row in pooled} == {("DSL", "QUIC", None, 4)}


def test_conditions_are_networks_with_stacks_and_then_each_site_and_context() -> None:
    votes = [vote("a", 3), vote("a", 4, site="shop"), vote("b", 5, context="free"), vote("b", 6, stack="TCP")]
    rows = share_rows(votes, scale=(1, 7))
    assert [(row.site, row.network, row.stack, row.context, row.n, row.votes, row.mos) for row in rows] == [
        (None, "DSL", "QUIC", None, 2, 3, 4.25),
        (None, "DSL", "TCP", None, 1, 1, 6.0),
        ("garden", "DSL", "QUIC", "free", 1, 1, 5.0),
        ("garden", "DSL", "QUIC", "work", 1, 1, 3.0),
        ("garden", "DSL", "TCP", "work", 1, 1, 6.0),
        ("shop", "DSL", "QUIC", "work", 1, 1, 4.0),
    ]
    conditions = [(row.site, row.network, row.stack, row.context) for row in rows]
    counted = [(row.site, row.network, row.stack, row.context) for row in score_rows(votes, scale=(1, 7))]
    assert list(dict.fromkeys(counted)) == conditions


def test_good_is_5_and_above_and_poor_is_3_and_below_on_seven_points() -> None:
    row = share_rows(ten([1, 2, 3, 4, 4, 4, 5, 6, 7, 7]), scale=(1, 7))[0]
    assert (row.good_or_better, row.poor_or_worse, row.median) == (0.4, 0.3, 4)
    # Wilson's intervals of statsmodels
    assert (row.good_ci_low, row.good_ci_high) == pytest.approx(proportion_confint(4, 10, method="wilson"), abs=1e-12)
    assert (row.poor_ci_low, row.poor_ci_high) == pytest.approx(proportion_confint(3, 10, method="wilson"), abs=1e-12)
    assert (row.lowest, row.highest) == (0.1, 0.2)


def test_good_is_4_and_above_and_poor_is_2_and_below_on_five_points() -> None:
    row = share_rows(ten([1, 2, 3, 4, 5]), scale=(1, 5))[0]
    assert (row.good_or_better, row.poor_or_worse) == (0.4, 0.4)


def test_other_scales_have_no_good_and_poor() -> None:
    row = share_rows(ten([10, 20.5]), scale=(0, 100))[0]
    assert (row.good_or_better, row.good_ci_low, row.poor_or_worse, row.poor_ci_high) == (None, None, None, None)
    assert (row.mos, row.median) == (15.25, 15.25)


def test_intervals_count_people_and_shares_count_votes() -> None:
    votes = [vote("a", 7), vote("a", 7), vote("a", 7), vote("b", 1)]
    row = share_rows(votes, scale=(1, 7))[0]
    assert (row.n, row.votes, row.mos, row.good_or_better) == (2, 4, 4.0, 0.75)
    single = share_rows(ten([7, 7, 7, 1]), scale=(1, 7))[0]
    assert row.good_ci_low is not None
    assert single.good_ci_low is not None
    assert row.good_ci_low < single.good_ci_low


@pytest.mark.parametrize(
    ("lowest", "highest", "effect"),
    [(0.25, 0.25, "none"), (0.26, 0.1, "floor"), (0.0, 0.26, "ceiling"), (0.4, 0.5, "both")],
)
def test_more_than_a_quarter_of_the_votes_at_an_end_is_an_end_effect(
    lowest: float, highest: float, effect: str
) -> None:
    assert end_effect(lowest, highest) == effect


def test_a_mos_within_half_a_point_of_the_end_always_is_one() -> None:
    assert share_rows(ten([7, 6, 7, 6]), scale=(1, 7))[0].end_effect == "ceiling"
    assert share_rows(ten([1, 2, 1, 2]), scale=(1, 7))[0].end_effect == "floor"
    assert share_rows(ten([1, 2, 3, 4, 5, 6, 7]), scale=(1, 7))[0].end_effect == "none"


def test_scores_that_the_scale_does_not_have_are_refused() -> None:
    with pytest.raises(ValueError, match=r"The score 4\.5 is not a whole number from 1 to 7"):
        score_rows(ten([4.5]), scale=(1, 7))
    with pytest.raises(ValueError, match="The score 8 is not a whole number from 1 to 7"):
        score_rows(ten([8]), scale=(1, 7))
    with pytest.raises(ValueError, match="their scale is 1 to 7"):
        share_rows(ten([8]), scale=(1, 7))


def test_no_votes_have_no_rows() -> None:
    assert score_rows([], scale=(1, 7)) == ()
    assert share_rows([], scale=(1, 7)) == ()


def test_the_order_of_votes_does_not_matter() -> None:
    votes = [vote(f"p{i % 7}", 1 + (i * 37 % 60) / 10) for i in range(100)]
    assert share_rows(votes, scale=(1, 7)) == share_rows(votes[::-1], scale=(1, 7))
