"""A clip stands still first; then its frame shows the film's last frame that is not later than its moment."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyelevel.batch.timeline import FRAME_RATE, Timing, changes, frame_count, timing
from eyelevel_core.model.campaign import ClipRules as Rules

RULES = Rules(quantiles=(), still_ms=1000, tail_ms=200, cap_ms=60_000, researcher=False)


def picks(times_ms: list[float], clip_timing: Timing) -> list[int]:
    """For each frame of a clip, the index of the film's frame that it shows."""
    found = dict(changes(times_ms, clip_timing))
    shown: list[int] = []
    for frame in range(clip_timing.count):
        shown.append(found.get(frame, shown[-1] if shown else -1))
    return shown


def shown(times_ms: list[float], *, frames: int, still: int = 0) -> list[int]:
    """The picks of a clip that has `frames` after `still`, at ten frames a second: moments 0, 100, 200, ... ms."""
    return picks(times_ms, Timing(still, (frames - 1) * 100, frame_rate=10))


def test_irregular_times_are_resampled_exactly() -> None:
    times_ms = [-30, 5, 99.9, 100, 260, 300.001]
    assert shown(times_ms, frames=6) == [0, 3, 3, 4, 5, 5]


def test_before_the_start_the_picture_of_the_start_stands_still() -> None:
    assert shown([-100, -20, 40, 100], still=3, frames=2) == [1, 1, 1, 1, 3]


def test_of_the_frames_before_navigation_the_last_is_shown_first() -> None:
    assert shown([-100, -60, -20, 40], frames=2) == [2, 3]


def test_a_film_that_starts_late_lends_its_first_frame() -> None:
    assert shown([250, 290], frames=4) == [0, 0, 0, 1]
    numbers = [index for _, index in changes([250, 290], Timing(still_frames=2, end_ms=500))]
    assert numbers == [0, 1]


def test_the_last_frame_stays() -> None:
    assert shown([0, 10], frames=4) == [0, 1, 1, 1]


def test_only_frames_at_which_something_changes_are_named() -> None:
    assert changes([-20, 100, 130, 135, 900], Timing(1, 500, frame_rate=10)) == [(0, 0), (2, 1), (3, 3)]


@pytest.mark.parametrize(("end_ms", "count"), [(0, 1), (33.3, 2), (33.34, 3), (100, 4), (1000, 31)])
def test_a_clip_is_long_enough_to_show_all_that_came_until_its_end(end_ms: float, count: int) -> None:
    assert frame_count(end_ms, 30) == count


def test_the_end_is_when_the_last_run_had_settled_and_the_tail_later() -> None:
    clip_timing = timing([400.0, 3500.0], rules=RULES)
    assert (clip_timing.frame_rate, clip_timing.still_frames, clip_timing.start_ms, clip_timing.end_ms) == (
        60,
        60,
        1000,
        3700,
    )
    # 60 still frames, and those of 0, 16.7, ..., 3700 ms
    assert (clip_timing.count, clip_timing.last_ms) == (60 + 223, 3700)


def test_the_end_is_never_later_than_the_cap() -> None:
    assert timing([59_900.0], rules=RULES).end_ms == 60_000


def test_half_a_frame_of_stillness_is_a_whole_one() -> None:
    rules = Rules(quantiles=(), still_ms=25, tail_ms=0, cap_ms=60_000, researcher=False)
    clip_timing = timing([100.0], rules=rules)
    assert (clip_timing.still_frames, clip_timing.moment_ms(0)) == (2, -1000 / 30)


@given(times_ms=st.lists(st.floats(-500, 5000), min_size=1, max_size=60, unique=True).map(sorted))
def test_frame_k_shows_the_state_at_its_moment_and_never_an_earlier_one(times_ms: list[float]) -> None:
    for k, index in enumerate(picks(times_ms, Timing(0, 5000))):
        moment = k * 1000 / FRAME_RATE
        assert times_ms[index] <= moment + 1e-6 or index == 0
        if index + 1 < len(times_ms):
            assert times_ms[index + 1] > moment - 1e-6
