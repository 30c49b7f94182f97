"""Sureness and replays by network and answer."""

import pytest
from scipy import stats

from eyelevel_stats.pairs.observations import Choice, PairVote
from eyelevel_stats.pairs.sureness import replay_rows, sureness_difference_rows, sureness_mean_rows, sureness_rows

from .people import LEFT, NONE


def vote(person: str, choice: Choice, sure: int | None, replays: int | None = None, network: str = "DSL") -> PairVote:
    return PairVote(person, "s", network, "A", "B", choice, sureness=sure, replays=replays)


# three people: a decides surely and twice, b answers both, c as well; one sureness is unknown
VOTES = [
    vote("a", "left", 5, 0),
    vote("a", "right", 3, 2),
    vote("b", "left", 4, 1),
    vote("b", "none", 2, 3),
    vote("c", "right", 5, None),
    vote("c", "none", 4, 0),
    vote("c", "left", None, 5),
]


def test_sureness_is_counted_by_network_and_choice() -> None:
    rows = sureness_rows([*VOTES, vote("a", "none", 1, network="LTE")])
    assert len(rows) == 20
    counts = {(row.network, row.choice, row.sureness): (row.n, row.share) for row in rows if row.n}
    assert counts == {
        ("DSL", "left", 4): (1, 0.5),
        ("DSL", "left", 5): (1, 0.5),
        ("DSL", "none", 2): (1, 0.5),
        ("DSL", "none", 4): (1, 0.5),
        ("DSL", "right", 3): (1, 0.5),
        ("DSL", "right", 5): (1, 0.5),
        ("LTE", "none", 1): (1, 1.0),
    }


def test_mean_sureness_counts_each_participant_once() -> None:
    decided, none = sureness_mean_rows(VOTES)
    # a 4, b 4, c 5; and b 2, c 4
    assert (decided.network, decided.answer, decided.n, decided.participants) == ("DSL", "decided", 4, 3)
    assert decided.mean == pytest.approx(13 / 3)
    interval = stats.t.interval(0.95, 2, 13 / 3, stats.sem([4, 4, 5]))
    assert (decided.ci_low, decided.ci_high) == pytest.approx((interval[0], 5))
    assert (none.answer, none.n, none.participants, none.mean) == ("none", 2, 2, 3)


def test_sureness_of_decided_answers_against_none_is_paired_within_participants() -> None:
    votes = [
        vote(f"p{person}", choice, sure)
        for person, (decided, none) in enumerate([(5, 2), (4, 4), (3, 1), (5, 3), (2, 3)])
        for choice, sure in zip(LEFT + NONE, (decided, none), strict=True)
    ]
    (row,) = sureness_difference_rows([*votes, vote("only decides", "left", 1), vote("unsure", "none", None)])
    paired = stats.ttest_rel([5, 4, 3, 5, 2], [2, 4, 1, 3, 3])
    interval = paired.confidence_interval(0.95)
    assert row.both == 5
    assert (row.decided_mean, row.none_mean) == pytest.approx((3.8, 2.6))
    assert row.difference == pytest.approx(1.2)
    assert (row.difference_ci_low, row.difference_ci_high) == pytest.approx((interval.low, interval.high))


def test_one_participant_gives_a_difference_without_interval_and_none_gives_no_row() -> None:
    (row,) = sureness_difference_rows([vote("b", "left", 4), vote("b", "right", 5), vote("b", "none", 2)])
    assert (row.both, row.difference, row.difference_ci_low, row.difference_ci_high) == (1, 2.5, None, None)
    assert sureness_difference_rows([vote("a", "left", 4), vote("b", "none", 4)]) == ()


def test_replays_are_means_over_participants() -> None:
    decided, none = replay_rows([*VOTES, vote("a", "left", 1, 4, network="LTE")])[:2]
    # a 1, b 1, c 5; and b 3, c 0
    assert (decided.answer, decided.n, decided.participants) == ("decided", 4, 3)
    assert decided.mean == pytest.approx(7 / 3)
    assert decided.ci_low == 0
    assert (none.n, none.participants, none.mean) == (2, 2, 1.5)
    assert none.ci_high == pytest.approx(stats.t.interval(0.95, 1, 1.5, stats.sem([3, 0]))[1])
    assert [row.network for row in replay_rows([*VOTES, vote("a", "left", 1, 4, network="LTE")])] == ["DSL"] * 2 + [
        "LTE"
    ]
