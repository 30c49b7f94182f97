"""The film's zero is held against the browser's first paint, and the two clocks against each other."""

import pytest

from eyelevel.loads.inside.filming.alignment import clock_error_ms, zero_error_ms
from eyelevel.loads.inside.filming.frames import Frame

WHITE_THEN_PAGE = [Frame(990, "#ffffff"), Frame(1020, None), Frame(1050, None)]


@pytest.mark.parametrize(("first_paint_ms", "error_ms"), [(20, 0), (14, 6), (40, -20)])
def test_the_error_is_the_first_change_minus_the_first_paint(first_paint_ms: float, error_ms: float) -> None:
    # the page shows at 1020, which is 20 after navigation start
    assert zero_error_ms(WHITE_THEN_PAGE, 1000, [first_paint_ms]) == error_ms


def test_without_a_paint_or_a_change_the_error_is_unknown() -> None:
    assert zero_error_ms(WHITE_THEN_PAGE, 1000, []) is None
    assert zero_error_ms(WHITE_THEN_PAGE[:1], 1000, [20]) is None


@pytest.mark.parametrize("by_ms", [300, -300])
def test_of_a_paint_far_from_the_change_nothing_is_concluded(by_ms: float) -> None:
    elsewhere = [Frame(frame.time_ms + by_ms, frame.colour) for frame in WHITE_THEN_PAGE]
    assert zero_error_ms(elsewhere, 1000, [20, 30]) is None
    assert zero_error_ms(elsewhere, 1000 + by_ms, [20, 30]) == 0


def test_a_first_paint_that_showed_nothing_gives_way_to_the_contentful_one() -> None:
    assert zero_error_ms(WHITE_THEN_PAGE, 1000, [5, 17]) == 3


def test_the_quickest_answer_bounds_the_error_of_the_clocks() -> None:
    # asked at 100, answered at 104, and the browser says 103: it is 1 ahead of the middle, give or take 2
    assert clock_error_ms([(0, 30, 40), (100, 103, 104), (200, 200, 210)]) == (1, 2)
