"""A clip stands still first; then its frame shows the film's last frame that is not later than its moment."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyelevel.batch.timeline import Timing, frame_count, picks, timing
from eyelevel_core.model.campaign import ClipRules as Rules

RULES = Rules(quantiles=(), still_ms=1000, after_ms=2000, cap_ms=60_000, researcher=False)


def shown(times_ms: list[float], *, frame_rate: float, frames: int, still: int = 0) -> list[int]:
    """The picks of a clip that has `frames` after `still`."""
    return picks(times_ms, Timing(frame_rate, still, (frames - 1) * 1000 / frame_rate))


def test_irregular_times_are_resampled_exactly() -> None:
    # ten frames a second: moments 0, 100, 200, ... ms
    times_ms = [-30, 5, 99.9, 100, 260, 300.001]
    assert shown(times_ms, frame_rate=10, frames=6) == [0, 3, 3, 4, 5, 5]


def test_before_the_start_the_picture_of_the_start_stands_still() -> None:
    assert shown([-100, -20, 40, 100], frame_rate=10, still=3, frames=2) == [1, 1, 1, 1, 3]


def test_of_the_frames_before_navigation_the_last_is_shown_first() -> None:
    assert shown([-100, -60, -20, 40], frame_rate=10, frames=2) == [2, 3]


def test_a_film_that_starts_late_lends_its_first_frame() -> None:
    assert shown([250, 290], frame_rate=10, frames=4) == [0, 0, 0, 1]


def test_the_last_frame_stays() -> None:
    assert shown([0, 10], frame_rate=10, frames=4) == [0, 1, 1, 1]


@pytest.mark.parametrize(("end_ms", "count"), [(0, 1), (33.3, 1), (33.34, 2), (100, 4), (1000, 31)])
def test_a_clip_is_long_enough_to_show_its_end(end_ms: float, count: int) -> None:
    assert frame_count(end_ms, 30) == count


def test_the_end_is_two_seconds_after_the_slowest_change() -> None:
    made = timing([400.0, 1700.5], frame_rate=30, rules=RULES)
    assert (made.still_frames, made.start_ms, made.end_ms) == (30, 1000, 3700.5)
    # 30 still frames, and those of 0, 33.3, ..., 3700 ms
    assert (made.count, made.last_ms) == (142, 3700)


def test_the_end_is_never_later_than_the_cap() -> None:
    assert timing([59_000.0], frame_rate=30, rules=RULES).end_ms == 60_000


def test_half_a_frame_of_stillness_is_a_whole_one() -> None:
    rules = Rules(quantiles=(), still_ms=50, after_ms=0, cap_ms=60_000, researcher=False)
    made = timing([100.0], frame_rate=10, rules=rules)
    assert (made.still_frames, made.start_ms, made.moment_ms(0)) == (1, 100, -100)


@given(
    times_ms=st.lists(st.floats(-500, 5000), min_size=1, max_size=60, unique=True).map(sorted),
    frame_rate=st.sampled_from([10, 25, 30, 60]),
)
def test_a_change_shows_at_its_time_and_at_most_a_frame_later(times_ms: list[float], frame_rate: int) -> None:
    for k, index in enumerate(picks(times_ms, Timing(frame_rate, 0, 5000))):
        moment = k * 1000 / frame_rate
        assert times_ms[index] <= moment + 1e-6 or index == 0
        if index + 1 < len(times_ms):
            assert times_ms[index + 1] > moment - 1e-6
