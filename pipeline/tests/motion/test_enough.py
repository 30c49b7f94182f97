"""A probe may end as soon as no further load can change its mask."""

from itertools import product

import pytest

from eyelevel.motion.enough import came_to_rest, enough
from eyelevel.motion.learning import in_most
from eyelevel_core.model.mask import LOADS, dilated

HERE, THERE, BESIDE, SIZE = (1, 1), (9, 9), (2, 2), (12, 12)
Shown = frozenset[tuple[int, int]]
STILL, MOVES, BOTH = frozenset[tuple[int, int]](), frozenset({HERE}), frozenset({HERE, THERE})
WIDER = frozenset({HERE, BESIDE})


@pytest.mark.parametrize(
    ("moved", "loads"),
    [([STILL] * 5, 2), ([MOVES] * 5, 4), ([MOVES, STILL, STILL, MOVES, MOVES], 3),
     ([MOVES, MOVES, STILL, MOVES, STILL], 5), ([BOTH, BOTH, MOVES, MOVES, MOVES], 4),
     ([BOTH, BOTH, MOVES, BOTH, STILL], 5), ([MOVES, MOVES, MOVES, STILL, MOVES], 5),
     ([WIDER, WIDER, MOVES, WIDER, STILL], 4), ([WIDER, WIDER, STILL, WIDER, MOVES], 5)],
)  # fmt: skip
def test_a_page_at_rest_needs_two_loads_and_one_that_always_moves_four(moved: list[Shown], loads: int) -> None:
    assert [enough(moved[:count]) for count in range(1, loads + 1)] == [False] * (loads - 1) + [True]


def test_whatever_moves_when_all_that_moves_in_four_of_five_loads_is_masked_and_little_else_lacks() -> None:
    """What the mask of five loads may have more is next to a tile that is masked as a neighbour."""
    for moved in product((STILL, MOVES, BOTH, WIDER), repeat=LOADS):
        count = next(count for count in range(1, LOADS + 1) if enough(moved[:count]))
        masked, of_five = (dilated(in_most(loads), SIZE) for loads in (moved[:count], moved))
        assert in_most(moved) <= masked <= of_five, moved
        assert masked == of_five or BESIDE in in_most(moved), moved


def test_a_load_whose_screen_was_still_for_longer_than_a_pause_of_motion_came_to_rest() -> None:
    assert [came_to_rest(20_000.0, end_ms) for end_ms in (30_000.0, 30_001.0)] == [False, True]


def test_loads_that_were_not_looked_through_yet_are_waited_for_only_where_they_may_be_the_last() -> None:
    assert [enough([MOVES] * count, unseen=1) for count in range(4)] == [False, False, False, True]
    assert [enough([STILL] * count, unseen=1) for count in range(4)] == [False, True, True, True]
    assert enough([MOVES, STILL], unseen=1)
