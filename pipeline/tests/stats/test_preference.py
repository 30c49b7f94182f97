"""Shares of preference keep every answer, and intervals count people."""

import pytest

from eyelevel_stats.intervals import wilson
from eyelevel_stats.preference import preferences


def test_every_answer_is_counted() -> None:
    answers = [("page", f"p{i}", choice) for i, choice in enumerate(["a"] * 7 + ["b"] * 2 + ["none"])]
    found = preferences(answers)["page"]  # type: ignore[arg-type]
    assert (found.n, found.participants, found.prefer_a, found.prefer_b, found.no_difference) == (10, 10, 7, 2, 1)
    assert found.share_a == 0.7
    assert (found.ci_low, found.ci_high) == pytest.approx((0.396778, 0.892209), abs=1e-6)


def test_repeated_answers_of_one_participant_do_not_narrow_the_interval() -> None:
    once = preferences([("page", "ann", "a"), ("page", "ben", "b")])["page"]
    thrice = preferences([("page", "ann", "a"), ("page", "ben", "b")] * 3)["page"]
    assert (thrice.n, thrice.participants, thrice.share_a) == (6, 2, 0.5)
    assert (thrice.ci_low, thrice.ci_high) == (once.ci_low, once.ci_high)


def test_nobody_saw_a_difference() -> None:
    found = preferences([("page", "ann", "none"), ("page", "ben", "none")])["page"]
    expected = wilson(0.0, 2)
    assert expected is not None
    assert (found.share_a, found.ci_low, found.ci_high) == (0.0, 0.0, expected.high)
    assert expected.high > 0.6


def test_no_answers_have_no_share() -> None:
    assert preferences([]) == {}
