"""A clip's frame shows the film's last frame that is not later than its moment."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyelevel.batch.timeline import frame_count, picks


def test_irregular_times_are_resampled_exactly() -> None:
    # ten frames a second: moments 0, 100, 200, ... ms
    times_ms = [-30, 5, 99.9, 100, 260, 300.001]
    assert picks(times_ms, frame_rate=10, count=6) == [0, 3, 3, 4, 5, 5]


def test_of_the_frames_before_navigation_the_last_is_shown_first() -> None:
    assert picks([-100, -60, -20, 40], frame_rate=10, count=2) == [2, 3]


def test_a_film_that_starts_late_lends_its_first_frame() -> None:
    assert picks([250, 290], frame_rate=10, count=4) == [0, 0, 0, 1]


def test_the_last_frame_stays() -> None:
    assert picks([0, 10], frame_rate=30, count=4) == [0, 1, 1, 1]


@pytest.mark.parametrize(("end_ms", "count"), [(0, 1), (33.3, 1), (33.34, 2), (100, 4), (1000, 31)])
def test_a_clip_is_long_enough_to_show_its_end(end_ms: float, count: int) -> None:
    assert frame_count(end_ms, 30) == count


@given(
    times_ms=st.lists(st.floats(-500, 5000), min_size=1, max_size=60, unique=True).map(sorted),
    frame_rate=st.sampled_from([10, 25, 30, 60]),
)
def test_a_change_shows_at_its_time_and_at_most_a_frame_later(times_ms: list[float], frame_rate: int) -> None:
    shown = picks(times_ms, frame_rate=frame_rate, count=frame_count(5000, frame_rate))
    for k, index in enumerate(shown):
        moment = k * 1000 / frame_rate
        assert times_ms[index] <= moment + 1e-6 or index == 0
        if index + 1 < len(times_ms):
            assert times_ms[index + 1] > moment - 1e-6
