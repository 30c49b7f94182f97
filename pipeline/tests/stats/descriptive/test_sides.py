"""Side bias: the score test for independent answers, and a smaller effective number for dependent ones."""

from typing import Literal

import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from eyelevel_stats.descriptive.sides import effective_n, side_rows
from eyelevel_stats.observations import Comparison


def answer(participant: str, choice: Literal["left", "right", "none"], network: str = "DSL") -> Comparison:
    return Comparison(participant, "garden", network, "QUIC", "TCP", "work", choice)


def once(left: int, right: int, none: int = 0) -> list[Comparison]:
    """Each participant answers once."""
    votes = [answer(f"l{i}", "left") for i in range(left)] + [answer(f"r{i}", "right") for i in range(right)]
    return votes + [answer(f"n{i}", "none") for i in range(none)]


def test_answers_of_other_people_are_as_many_as_they_are_but_for_the_small_sample_factor() -> None:
    """The 31 left and 21 right of a pilot; with n people the clustered variance has the factor n / (n - 1)."""
    (row,) = side_rows(once(31, 21, none=8))
    assert (row.network, row.participants, row.left, row.right, row.undecided) == ("all", 52, 31, 21, 8)
    assert row.share_left == pytest.approx(31 / 52)
    assert row.effective_n == pytest.approx(51)
    assert row.p_value == pytest.approx(2 * stats.norm.sf((31 / 52 - 0.5) / (0.25 / 51) ** 0.5), rel=1e-9)


def test_the_interval_holds_a_half_exactly_where_p_is_above_5_percent() -> None:
    for left in range(25, 45):
        (row,) = side_rows(once(left, 60 - left))
        assert row.ci_low is not None
        assert row.ci_high is not None
        assert row.p_value is not None
        assert (row.ci_low <= 0.5 <= row.ci_high) == (row.p_value >= 0.05)


def test_dependent_answers_count_less() -> None:
    """Five people give ten answers each, always the same side: as if each had answered once, less the factor 4 / 5."""
    assert effective_n([(10, 0), (10, 0), (10, 0), (0, 10), (0, 10)]) == pytest.approx(4)
    votes = [answer(f"p{i}", "left" if i < 3 else "right") for i in range(5) for _ in range(10)]
    (row,) = side_rows(votes)
    assert (row.ci_low, row.ci_high) == pytest.approx(proportion_confint(2.4, 4, method="wilson"), abs=1e-9)
    # the other extreme: everyone splits evenly, and at most the answers themselves are counted
    assert effective_n([(5, 5)] * 4) == 40
    assert effective_n([(6, 4), (4, 6), (5, 5), (5, 5)]) == 40


def test_unanimous_answers_count_people() -> None:
    assert effective_n([(3, 0), (5, 0), (2, 0)]) == 3
    assert effective_n([(3, 1)]) == 1


def test_without_a_decided_answer_there_is_no_share() -> None:
    (row,) = side_rows(once(0, 0, none=3))
    assert (row.participants, row.undecided, row.share_left, row.effective_n, row.p_value) == (0, 3, None, None, None)
    assert side_rows([]) == ()


def test_networks_have_rows_after_the_common_one() -> None:
    votes = [answer("a", "left"), answer("b", "right"), answer("a", "left", "LTE"), answer("b", "left", "LTE")]
    assert [(row.network, row.share_left) for row in side_rows(votes)] == [("all", 0.75), ("DSL", 0.5), ("LTE", 1.0)]
