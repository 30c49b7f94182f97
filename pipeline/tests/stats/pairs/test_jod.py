"""One JOD is 75 % of the decided answers."""

from math import log, sqrt

import pytest
from scipy import stats

from eyelevel_stats.pairs.components import components
from eyelevel_stats.pairs.jod import jod_rows

from .people import Counts, asked


def test_75_percent_of_the_decided_answers_are_one_jod_whatever_the_ties() -> None:
    (row,) = jod_rows(components(asked({("A", "B"): (75, 25, 40)}), side_bias=False))
    assert row.jod == pytest.approx(1)
    assert (row.stack_a, row.stack_b, row.n, row.participants) == ("A", "B", 140, 140)


def test_a_chain_of_75_percent_is_the_scale_0_1_2() -> None:
    # oracles/statistics/expected.json, jod: Thurstone's scale is 0, 1, 2 for 75 of 100 in each neighbouring pair. The
    # worths agree because both models fit these answers exactly; in general the scales differ beyond 1 JOD.
    found = components(asked({("B", "A"): (75, 25, 0), ("C", "B"): (75, 25, 0)}), side_bias=False)
    values = {(row.stack_a, row.stack_b): (row.jod, row.n) for row in jod_rows(found)}
    assert {pair: value for pair, (value, _) in values.items()} == pytest.approx({
        ("A", "B"): -1, ("A", "C"): -2, ("B", "C"): -1,
    })  # fmt: skip
    assert values["A", "C"][1] == 0


def test_the_interval_is_students_over_participants() -> None:
    (row,) = jod_rows(components(asked({("A", "B"): (30, 10, 0)}), side_bias=False))
    # the variance of log odds by reciprocal counts (B. Woolf 1955), with 40 / 39 for 40 participants
    half = stats.t.ppf(0.975, 39) * sqrt((1 / 30 + 1 / 10) * 40 / 39) / log(3)
    assert (row.ci_low, row.ci_high) == pytest.approx((1 - half, 1 + half))


def test_people_who_answer_twice_alike_count_once_in_the_interval() -> None:
    once = asked({("A", "B"): (30, 10, 0)})
    (single,), (twice,) = (jod_rows(components(votes, side_bias=False)) for votes in (once, once * 2))
    assert (twice.n, twice.participants) == (80, 40)
    assert (twice.ci_low, twice.ci_high) == pytest.approx((single.ci_low, single.ci_high))


def test_without_a_finite_worth_there_is_no_jod() -> None:
    (row,) = jod_rows(components(asked({("A", "B"): (5, 0, 0)})))
    assert (row.jod, row.ci_low, row.ci_high) == (None, None, None)
    assert row.why is not None
    assert "separate A from B" in row.why


def test_people_whose_answers_cancel_out_have_an_interval_of_no_width() -> None:
    # each person names each of three stacks as often as the others, so that nobody moves an estimate
    circle: Counts = {("A", "B"): (1, 1, 0), ("B", "C"): (1, 1, 0), ("C", "A"): (1, 1, 0)}
    votes = [vote._replace(participant=f"q{person}") for person in range(6) for vote in asked(circle)]
    for row in jod_rows(components(votes)):
        assert (row.jod, row.ci_low, row.ci_high) == pytest.approx((0, 0, 0), abs=1e-9)


def test_with_few_participants_there_is_no_interval() -> None:
    votes = [vote._replace(participant="p") for vote in asked({("A", "B"): (3, 1, 0)})]
    (row,) = jod_rows(components(votes, side_bias=False))
    assert row.jod == pytest.approx(1)
    assert (row.ci_low, row.ci_high, row.why) == (None, None, None)
