"""Tiles that change, and tiles that move (M1)."""

import numpy as np
import pytest

from eyelevel.motion.tiles import Change, changes, moving, tiles_of
from eyelevel.video import Frame

WINDOW_MS = 30_000.0


def frame(value: int = 200, *, spot: int | None = None, at: tuple[int, int] = (0, 0)) -> Frame:
    """Of 40 x 36 pixels, 3 x 3 tiles; `spot` is the value of one pixel, red only."""
    picture = np.full((36, 40, 3), value, np.uint8)
    if spot is not None:
        picture[at[1], at[0], 0] = spot
    return picture


def at_times(*times_ms: float) -> list[Change]:
    """The middle tile changes at these times."""
    tiles = np.zeros((3, 3), np.bool_)
    tiles[1, 1] = True
    return [(ms, tiles) for ms in times_ms]


def moves(*times_ms: float) -> bool:
    return moving(at_times(*times_ms), from_ms=0, end_ms=WINDOW_MS) == {(1, 1)}


def test_a_pixel_makes_its_tile_change_also_in_a_last_tile_that_is_smaller() -> None:
    pixels = np.zeros((36, 40), np.bool_)
    pixels[35, 39] = pixels[0, 15] = True
    assert tiles_of(pixels).tolist() == [[True, False, False], [False, False, False], [False, False, True]]


@pytest.mark.parametrize(("value", "expected"), [(208, []), (209, [(50.0, (1, 2))]), (191, [(50.0, (1, 2))])])
def test_a_tile_changes_where_a_channel_of_a_pixel_differs_by_more_than_8(
    value: int, expected: list[tuple[float, tuple[int, int]]]
) -> None:
    found = changes([(0.0, frame()), (50.0, frame(spot=value, at=(20, 34)))])
    assert [(ms, (int(x), int(y))) for ms, tiles in found for y, x in np.argwhere(tiles)] == expected


def test_slow_drift_is_a_change_once_it_adds_up() -> None:
    found = changes([(float(n), frame(200 - 4 * n)) for n in range(7)])
    assert [ms for ms, _ in found] == [3.0, 6.0]


def test_a_carousel_whose_period_is_10_s_moves() -> None:
    assert moves(9_900, 19_900, 29_900)
    assert moves(100, 10_100, 20_100)


def test_an_animation_moves() -> None:
    assert moves(*range(0, 30_000, 16))


@pytest.mark.parametrize(
    "times_ms",
    [
        (1_000, 29_000),  # two changes
        (1_000, 1_100, 10_900),  # too near to each other
        (20_500, 25_000, 30_000),  # began late: 9.5 s
        (12_000, 24_000, 36_000),  # a period of 12 s: the third comes after the end
    ],
)
def test_few_or_close_changes_are_no_motion(times_ms: tuple[float, ...]) -> None:
    assert not moves(*times_ms)


@pytest.mark.parametrize("until_ms", [20_000, 24_000, 28_000])
def test_a_feed_that_appends_for_20_s_is_no_motion_nor_is_one_of_28_s(until_ms: int) -> None:
    assert not moves(*range(0, until_ms, 1_000))


def test_motion_may_pause_at_the_end_for_half_as_long_again_as_it_paused_before() -> None:
    """The longest pause is 4.4 s, so it has ended 6.6 s after its last change."""
    assert moves(0, 4_400, 8_000, 12_000, 16_000, 20_000, 23_500)
    assert not moves(0, 4_400, 8_000, 12_000, 16_000, 20_000, 23_300)


def test_quick_motion_may_pause_at_the_end_for_a_second() -> None:
    assert moves(*range(0, 29_100, 100))
    assert not moves(*range(0, 28_900, 100))


def test_what_changes_before_the_network_is_quiet_does_not_count() -> None:
    loading = at_times(0, 1_000, 2_000, 14_000)
    assert moving(loading, from_ms=0, end_ms=20_000) == {(1, 1)}
    assert moving(loading, from_ms=3_000, end_ms=20_000) == frozenset()
