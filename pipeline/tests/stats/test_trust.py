"""How far answers can be trusted: pairs without a difference, questions asked twice, and scales of other kinds."""

import pytest

from eyelevel_stats.identical import Choice, IdenticalVote, identical_answers, identical_rows
from eyelevel_stats.intervals import wilson
from eyelevel_stats.repeats import Repeat, repeat_rows
from eyelevel_stats.rows.study import RepeatRow, ValueRow
from eyelevel_stats.values import Placed, value_rows


def vote(who: str, choice: Choice, *, network: str = "DSL", stack: str = "QUIC") -> IdenticalVote:
    return IdenticalVote(who, network, stack, choice)


def test_differences_that_are_none_are_counted_per_network_and_stack() -> None:
    votes = [
        vote("ann", "left"),
        vote("ben", "right"),
        vote("cem", "none"),
        vote("dea", "none"),
        vote("ann", "none", network="MSS", stack="TCP"),
    ]
    dsl, mss = identical_rows(votes)
    assert (dsl.network, dsl.stack, mss.network, mss.stack) == ("DSL", "QUIC", "MSS", "TCP")
    assert (dsl.n, dsl.chose_left, dsl.chose_right, dsl.no_difference, dsl.share_different) == (4, 1, 1, 2, 0.5)
    expected = wilson(0.5, 4)
    assert expected is not None
    assert (dsl.ci_low, dsl.ci_high) == (expected.low, expected.high)
    assert (mss.n, mss.share_different, mss.ci_low) == (1, 0.0, 0.0)
    everything = identical_answers(votes)
    assert everything is not None
    assert (everything.n, everything.participants, everything.share_different) == (5, 4, 0.4)


def test_one_person_asked_often_narrows_no_interval() -> None:
    once = identical_answers([vote("ann", "left"), vote("ben", "none")])
    often = identical_answers([vote("ann", "left")] * 10 + [vote("ben", "none")] * 10)
    assert once is not None
    assert often is not None
    assert (often.n, often.participants) == (20, 2)
    assert (often.ci_low, often.ci_high) == (once.ci_low, once.ci_high)


def test_without_identical_pairs_there_is_nothing_to_say() -> None:
    assert identical_answers([]) is None
    assert identical_rows([]) == ()


def test_repeats_agree_as_far_as_their_scale_tells() -> None:
    found = repeat_rows(
        [
            Repeat("ann", "rate", 5, 5),
            Repeat("ben", "rate", 5, 2),
            Repeat("ann", "compare", "left", "left"),
            Repeat("ann", "compare", "left", "none"),
        ]
    )
    share = wilson(0.5, 2)
    interval = wilson(0.5, 1)
    assert share is not None
    assert interval is not None
    assert found == (
        RepeatRow("compare", 2, 1, 1, 0.5, interval.low, interval.high, None),
        RepeatRow("rate", 2, 2, 1, 0.5, share.low, share.high, 1.5),
    )
    assert repeat_rows([]) == ()


def test_values_are_averaged_over_people() -> None:
    place = ("slider", "garden", "DSL", "QUIC", "work")
    found = value_rows([Placed("ann", *place, 80), Placed("ann", *place, 60), Placed("ben", *place, 50)])
    (row,) = found
    assert row == ValueRow(*place, 2, 60.0, row.ci_low, row.ci_high, row.sd)
    assert row.sd == pytest.approx(200**0.5)
    assert (row.ci_low, row.ci_high) == (0.0, 100.0)
    assert value_rows([]) == ()
