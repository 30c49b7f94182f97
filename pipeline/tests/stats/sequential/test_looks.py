"""The looks that a plan names: which are reached, and how strictly each judges."""

from typing import Literal

import pytest

from eyelevel_core.study.design import Looks
from eyelevel_stats.sequential.boundaries import FARTHEST
from eyelevel_stats.sequential.looks import looks_of
from eyelevel_stats.sequential.planned import planned_numbers

PLAN = Looks(at=(100, 200), spending="obrien-fleming", planned=300)


def test_before_the_first_look_only_the_end_is_there_and_spends_all_of_alpha() -> None:
    (end,) = looks_of(PLAN, used=99, alpha=0.05)
    assert (end.number, end.sessions, end.is_final, end.spent) == (1, 99, True, 0.05)
    assert [end.boundary, end.level] == pytest.approx([1.959964, 0.05])


def test_looks_that_are_reached_come_first_and_judge_more_strictly() -> None:
    first, second, end = looks_of(PLAN, used=300, alpha=0.05)
    assert [(look.number, look.sessions, look.is_final) for look in (first, second, end)] == [
        (1, 100, False),
        (2, 200, False),
        (3, 300, True),
    ]
    # three equal looks of O'Brien-Fleming-like spending (Reboussin et al. 2000): 3.7103, 2.5114, 1.9930
    assert [look.boundary for look in (first, second, end)] == pytest.approx([3.7103, 2.5114, 1.9930], abs=6e-5)
    assert [look.spent for look in (first, second, end)] == pytest.approx([0.000207, 0.012091, 0.05], abs=1e-5)
    assert first.level < second.level < end.level < 0.05


def test_an_early_end_still_spends_all_that_is_left() -> None:
    _, end = looks_of(PLAN, used=150, alpha=0.05)
    assert (end.sessions, end.is_final, end.spent) == (150, True, 0.05)


def test_a_look_is_reached_with_its_last_session_and_an_end_there_takes_its_place() -> None:
    look, end = looks_of(PLAN, used=100, alpha=0.05)
    assert (look.sessions, look.is_final) == (100, False)
    assert look.spent == pytest.approx(0.000207, abs=1e-6)
    assert (end.number, end.sessions, end.is_final, end.spent) == (1, 100, True, 0.05)
    assert end.level == pytest.approx(0.05)


@pytest.mark.parametrize("spending", ["obrien-fleming", "pocock"])
@pytest.mark.parametrize(("at", "planned"), [((3, 50), 1000), ((1, 2, 3), 10**6), ((10**6 - 2, 10**6 - 1), 10**6)])
@pytest.mark.parametrize("alpha", [1e-6, 0.05, 0.5])
def test_every_valid_plan_has_looks(
    at: tuple[int, ...], planned: int, spending: Literal["obrien-fleming", "pocock"], alpha: float
) -> None:
    for used in (at[0], at[-1] + 10, 2 * planned):
        looks = looks_of(Looks(at, spending, planned), used=used, alpha=alpha)
        assert (looks[-1].is_final, looks[-1].spent) == (True, alpha)
        assert all(0 < look.boundary <= FARTHEST and 0 < look.level <= alpha * (1 + 1e-6) for look in looks)


def test_a_look_whose_alpha_is_rounded_to_nothing_finds_nothing() -> None:
    first, *_, end = looks_of(Looks((3, 50), "obrien-fleming", 1000), used=60, alpha=0.05)
    assert (first.spent, first.boundary) == (0.0, FARTHEST)
    assert end.boundary == pytest.approx(1.959964, abs=1e-6)


def test_no_session_is_no_look() -> None:
    assert looks_of(PLAN, used=0, alpha=0.05) == ()


def test_an_opening_is_planned_where_it_is_the_first_since_its_number_of_sessions_was_reached() -> None:
    # 104 twice: a second person sees no more than the first one did
    openings = [40, 104, 104, 130, 200, 230]
    assert planned_numbers(openings, at=(100, 200)) == [None, 1, 1, None, 2, None]


def test_without_planned_looks_no_opening_is_planned() -> None:
    assert planned_numbers([0, 50], at=()) == [None, None]
