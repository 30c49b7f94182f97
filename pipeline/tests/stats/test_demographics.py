"""Answers about the person: counted per group, and shown only where no count is small."""

from collections.abc import Iterable
from dataclasses import astuple

import pytest

from eyelevel_core.study.design import Choice, Question
from eyelevel_stats.demographics import DemographicRow, demographics, without_few

AGE = Question("age", {}, (Choice("young", {}), Choice("middle", {}), Choice("old", {})), required=False)


def people(group: str, **counts: int) -> list[tuple[str, dict[str, str]]]:
    return [(group, {} if choice == "none" else {"age": choice}) for choice, n in counts.items() for _ in range(n)]


def counts(rows: Iterable[DemographicRow]) -> list[int | None]:
    return [row.sessions for row in rows]


def test_every_choice_has_its_count_and_its_share_of_the_group() -> None:
    rows = demographics([AGE], [*people("volunteer", old=1, none=3), *people("lab", young=2, old=2)])
    assert [astuple(row) for row in rows] == [
        ("lab", "age", "young", 2, 0.5),
        ("lab", "age", "middle", 0, 0.0),
        ("lab", "age", "old", 2, 0.5),
        ("volunteer", "age", "young", 0, 0.0),
        ("volunteer", "age", "middle", 0, 0.0),
        ("volunteer", "age", "old", 1, 0.25),
        ("volunteer", "age", "", 3, 0.75),
    ]


def test_without_questions_or_people_there_is_nothing() -> None:
    assert demographics([], people("lab", young=1)) == demographics([AGE], []) == ()


def test_counts_below_five_are_not_shown() -> None:
    rows = without_few(demographics([AGE], people("lab", young=4, middle=3, old=5)))
    assert counts(rows) == [None, None, 5]
    assert [row.share for row in rows] == [None, None, 5 / 12]


def test_a_count_that_the_others_would_betray_is_joined_by_the_smallest_of_them() -> None:
    assert counts(without_few(demographics([AGE], people("lab", young=20, middle=1, old=10)))) == [20, None, None]
    assert counts(without_few(demographics([AGE], people("lab", young=20, middle=5, old=10)))) == [20, 5, 10]


def test_groups_and_questions_are_judged_apart() -> None:
    both = [*people("lab", young=9, middle=9, old=9), *people("volunteer", young=9, middle=3, old=2)]
    assert counts(without_few(demographics([AGE], both))) == [9, 9, 9, 9, None, None]


@pytest.mark.parametrize(("young", "middle", "old"), [(20, 0, 0), (18, 1, 1), (16, 2, 2), (3, 0, 0)])
def test_few_people_do_not_follow_from_the_counts_and_shares_of_the_others(young: int, middle: int, old: int) -> None:
    rows = without_few(demographics([AGE], people("lab", young=young, middle=middle, old=old)))
    assert [(row.sessions, row.share) for row in rows] == [(None, None)] * 3


def test_as_few_counts_as_needed_are_left_out() -> None:
    rows = without_few(demographics([AGE], people("lab", young=20, middle=1, old=1, none=7)))
    assert counts(rows) == [20, None, None, None]
