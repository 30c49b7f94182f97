"""Straight-lining and plays off speed are counted, and leave out nobody but in the sensitivity table."""

import pytest
from statsmodels.stats.proportion import proportion_confint

from eyelevel_stats.descriptive.careless import CarelessRow, Plays, careless_rows, sensitivity_rows, straight_row
from eyelevel_stats.descriptive.order import OrderedVote
from eyelevel_stats.observations import Rating


def ordered(participant: str, scores: list[float]) -> list[OrderedVote]:
    return [OrderedVote(participant, i, f"c{i}", "work", score) for i, score in enumerate(scores, start=1)]


def plain(votes: list[OrderedVote]) -> list[Rating]:
    return [Rating(v.participant, "garden", "DSL", "QUIC", v.context, v.clip_sha256, v.score) for v in votes]


def test_runs_are_counted_in_the_order_of_the_session() -> None:
    votes = ordered("ann", [4, 4, 5, 5, 5, 4, 4])
    (row,) = careless_rows(sorted(votes, key=lambda vote: vote.score), {"ann": Plays(8, 2)})
    assert row == CarelessRow("ann", 7, 2, 3, "no", 8, 2, 0.25)


def test_one_score_throughout_is_straight_lining_from_five_votes_on() -> None:
    rows = careless_rows(ordered("ann", [4] * 5) + ordered("ben", [4] * 4) + ordered("cem", [4, 4, 4, 4, 5]), {})
    assert [(row.participant, row.straight_lining, row.longest_run) for row in rows] == [
        ("ann", "yes", 5),
        ("ben", None, 4),
        ("cem", "no", 4),
    ]


def test_unknown_plays_are_unknown_and_no_plays_have_no_share() -> None:
    rows = careless_rows(ordered("ann", [1]) + ordered("ben", [2]), {"ben": Plays(0, 0)})
    assert [(row.plays, row.off_speed_plays, row.off_speed_share) for row in rows] == [(None, None, None), (0, 0, None)]


def test_the_share_of_straight_lining_is_of_those_with_enough_votes() -> None:
    votes = [vote for i in range(10) for vote in ordered(f"p{i}", [3] * 5 if i < 3 else [3, 4, 3, 4, 3])]
    row = straight_row(careless_rows(votes + ordered("short", [3]), {}))
    assert (row.participants, row.straight_lining, row.share) == (10, 3, 0.3)
    # Wilson's interval of statsmodels
    assert (row.ci_low, row.ci_high) == pytest.approx(proportion_confint(3, 10, method="wilson"), abs=1e-12)
    nobody = straight_row(careless_rows(ordered("short", [3]), {}))
    assert (nobody.participants, nobody.share, nobody.ci_low) == (0, None, None)


def test_the_sensitivity_table_has_everyone_beside_those_that_remain() -> None:
    votes = ordered("ann", [6] * 5) + ordered("ben", [2, 3, 4, 3, 3]) + ordered("cem", [4, 5])
    rows = careless_rows(votes, {"ben": Plays(5, 1), "ann": Plays(5, 0)})
    found = sensitivity_rows(plain(votes), rows, scale=(1, 7))
    assert [(row.without, row.n, row.mos, row.n_without, row.mos_without) for row in found] == [
        ("straight-lining", 3, 4.5, 2, 3.75),
        # ann has no such play, and of cem it is unknown
        ("plays off speed", 3, 4.5, 2, 5.25),
    ]


def test_where_nobody_remains_there_is_no_mos() -> None:
    votes = ordered("ann", [6] * 5)
    found = sensitivity_rows(plain(votes), careless_rows(votes, {}), scale=(1, 7))
    assert [(row.n_without, row.mos_without, row.ci_low_without) for row in found] == [(0, None, None), (1, 6.0, None)]
