"""Detection corrected for false alarms, against sensR and the tables of d'."""

from math import sqrt

import pytest
from scipy import stats

from eyelevel_stats.pairs.detection import corrected_rate, d_prime, d_prime_variance, detection_rows
from eyelevel_stats.pairs.observations import SameVote

from .people import LEFT, NONE, RIGHT, asked


def same(left: int, right: int, none: int, *, network: str = "DSL", one_take: bool | None = True) -> list[SameVote]:
    choices = LEFT * left + RIGHT * right + NONE * none
    return [SameVote(f"q{n}", network, "A", choice, one_take) for n, choice in enumerate(choices)]


def test_d_prime_and_its_standard_error_are_those_of_sensr() -> None:
    # R sensR, AnotA(10, 20, 3, 20): the results that its own example pins
    assert d_prime(10 / 20, 3 / 20) == pytest.approx(1.03643338948988, abs=1e-9)
    assert sqrt(d_prime_variance(10 / 20, 20, 3 / 20, 20)) == pytest.approx(0.442500608613267, rel=1e-6)


def test_d_prime_is_that_of_the_manual_of_stat() -> None:
    # G. Perlman, |STAT, dprime .7 .4
    assert round(d_prime(0.7, 0.4), 2) == 0.78


@pytest.mark.parametrize(("count", "n", "rate"), [(0, 10, 0.5 / 11), (10, 10, 10.5 / 11), (10, 20, 0.5), (0, 0, 0.5)])
def test_rates_are_never_0_or_1(count: int, n: int, rate: float) -> None:
    assert corrected_rate(count, n) == pytest.approx(rate)


def test_any_side_named_is_a_hit_and_in_a_pair_of_one_take_a_false_alarm() -> None:
    (row,) = detection_rows(asked({("A", "B"): (6, 4, 10)}), same(1, 2, 17))
    assert (row.n, row.named, row.participants) == (20, 10, 20)
    assert (row.one_take_n, row.one_take_named, row.one_take_participants) == (20, 3, 20)
    assert row.d_prime == pytest.approx(-stats.norm.ppf(3.5 / 21))
    half = stats.t.ppf(0.975, 39) * sqrt(d_prime_variance(0.5, 20, 3.5 / 21, 20))
    centre = -stats.norm.ppf(3.5 / 21)
    assert (row.ci_low, row.ci_high) == pytest.approx((centre - half, centre + half))
    assert row.why is None


def test_answers_of_one_person_that_are_alike_widen_the_interval_as_fewer_answers_do() -> None:
    votes, alone = asked({("A", "B"): (60, 40, 100)}), same(10, 10, 180)
    # each person gives ten answers, all alike, so that there are 20 and 20 independent ones
    people = [vote._replace(participant=f"p{number // 10}") for number, vote in enumerate(votes)]
    others = [vote._replace(participant=f"q{number // 10}") for number, vote in enumerate(alone)]
    (row,) = detection_rows(people, others)
    assert (row.n, row.participants, row.one_take_participants) == (200, 20, 20)
    assert row.ci_low is not None
    assert row.ci_high is not None
    # the counts, not the rates, are a tenth; by Gourevitch and Galanter, with 40 / 39 for 40 participants
    parts = [(0.5, 100.5 / 201), (0.1, 20.5 / 201)]
    variance = sum(p * (1 - p) / (20 * stats.norm.pdf(stats.norm.ppf(rate)) ** 2) for p, rate in parts) * 40 / 39
    assert (row.ci_high - row.ci_low) / 2 == pytest.approx(stats.t.ppf(0.975, 39) * sqrt(variance))


def test_a_habit_to_name_sides_does_not_make_d_prime_uncertain() -> None:
    # twelve of twenty people always name a side, the others never do, in both kinds of pairs
    votes = [vote._replace(participant=f"p{n % 20}") for n, vote in enumerate(asked({("A", "B"): (0, 0, 200)}))]
    alone = [vote._replace(participant=f"p{n % 20}") for n, vote in enumerate(same(0, 0, 200))]
    (row,) = detection_rows(
        [vote._replace(choice="left") if vote.participant < "p2" else vote for vote in votes],
        [vote._replace(choice="left") if vote.participant < "p2" else vote for vote in alone],
    )
    assert row.ci_low is not None
    share = (row.named + 0.5) / 201
    half = stats.t.ppf(0.975, 19) * sqrt(d_prime_variance(share, 200, share, 200))
    assert (row.d_prime, row.ci_low) == pytest.approx((0, -half))


def test_without_any_false_alarm_the_interval_keeps_its_width() -> None:
    (row,) = detection_rows(asked({("A", "B"): (0, 0, 20)}), same(0, 0, 20))
    half = stats.t.ppf(0.975, 39) * sqrt(d_prime_variance(0.5 / 21, 20, 0.5 / 21, 20))
    assert (row.d_prime, row.ci_low, row.ci_high) == pytest.approx((0, -half, half))


def test_one_participant_has_no_interval() -> None:
    votes = [vote._replace(participant="p") for vote in asked({("A", "B"): (6, 4, 10)})]
    (row,) = detection_rows(votes, [vote._replace(participant="p") for vote in same(1, 2, 17)])
    assert row.d_prime == pytest.approx(-stats.norm.ppf(3.5 / 21))
    assert (row.ci_low, row.ci_high, row.why) == (None, None, None)


def test_pairs_of_two_runs_and_of_unknown_takes_are_counted_apart() -> None:
    votes = asked({("A", "B"): (6, 4, 10)})
    others = [*same(5, 5, 0, one_take=False), *same(3, 3, 0, one_take=None)]
    (row,) = detection_rows(votes, [*same(1, 2, 17), *others])
    assert (row.two_takes_n, row.two_takes_named, row.unknown_takes_n) == (10, 10, 6)
    assert (row.d_prime, row.one_take_n) == (detection_rows(votes, same(1, 2, 17))[0].d_prime, 20)


def test_each_network_has_its_own_false_alarms() -> None:
    votes = [*asked({("A", "B"): (6, 4, 10)}, network="LTE"), *asked({("A", "B"): (6, 4, 10)})]
    dsl, lte = detection_rows(votes, same(1, 2, 17, network="LTE"))
    assert (dsl.network, dsl.d_prime, dsl.ci_low, dsl.ci_high) == ("DSL", None, None, None)
    assert dsl.why == "no answer is about a pair that shows one take twice"
    assert (lte.network, lte.one_take_n, lte.why) == ("LTE", 20, None)
