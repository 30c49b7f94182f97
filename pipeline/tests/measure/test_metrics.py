"""Metrics of small frames whose results are worked out by hand in the comments."""

import io
import weakref
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest

from eyelevel.measure.histogram import histogram
from eyelevel.measure.metrics import measure, of_histograms
from eyelevel.measure.planes import frames
from eyelevel.video import Frame
from eyelevel_core.model.progress import speed_index_ms, visually_complete_ms


def page(black_pixels: int) -> Frame:
    """A white page of 10 x 10 pixels, of which so many are black."""
    frame = np.full((100, 3), 255, np.uint8)
    frame[:black_pixels] = 0
    return frame.reshape(10, 10, 3)


def test_a_page_that_comes_in_two_halves() -> None:
    metrics = measure([(0, page(0)), (100, page(50)), (200, page(100))])
    # nothing for 100 ms, half for another 100 ms: 100 * 1 + 100 * 0.5
    assert metrics.si_ms == 150
    assert (metrics.fvc_ms, metrics.vc85_ms, metrics.lvc_ms) == (100, 200, 200)
    assert list(metrics.progress) == [(0, 0), (100, 50), (200, 100)]


def test_percent_is_rounded_down() -> None:
    # 2 of 3 pixels: 66.67 %
    assert measure([(0, page(0)), (10, page(2)), (20, page(3))]).progress[1] == (10, 66)


def test_equal_consecutive_frames_count_once() -> None:
    metrics = measure([(0, page(0)), (33, page(0)), (67, page(8)), (100, page(8)), (133, page(9)), (167, page(9))])
    assert [ms for ms, _ in metrics.progress] == [0, 67, 133]
    assert (metrics.fvc_ms, metrics.lvc_ms) == (67, 133)


def test_the_last_frame_up_to_zero_is_what_was_visible_at_navigation_start() -> None:
    # page(40) before navigation is not seen; from page(10) to page(20), half way at 15
    metrics = measure([(-70, page(40)), (-5, page(10)), (30, page(15)), (60, page(20))])
    assert list(metrics.progress) == [(0, 0), (30, 50), (60, 100)]
    assert list(measure([(-5, page(40)), (0, page(10)), (30, page(20))]).progress) == [(0, 0), (30, 100)]


def test_without_a_frame_up_to_zero_the_first_one_stands_for_it() -> None:
    metrics = measure([(12, page(0)), (45, page(4))])
    assert list(metrics.progress) == [(0, 0), (45, 100)]
    assert metrics.si_ms == 45


def test_what_moves_without_changing_its_colours_is_a_change_too() -> None:
    # same histogram at 20 and 40 ms, but other pixels
    metrics = measure([(0, page(0)), (20, page(7)), (40, page(7)[::-1])])
    assert metrics.lvc_ms == 40
    assert list(metrics.progress) == [(0, 0), (20, 100), (40, 100)]


def test_vc85_is_the_moment_from_which_a_page_stays_complete() -> None:
    # 90 % at 10 ms is lost again at 20 ms
    metrics = measure([(0, page(0)), (10, page(9)), (20, page(5)), (30, page(9)), (40, page(10))])
    assert metrics.vc85_ms == 30
    assert visually_complete_ms([(0, 0), (10, 90), (20, 84)], 85) is None


def test_speed_index_of_progress_made_by_hand() -> None:
    assert speed_index_ms([(0, 0), (1000, 50), (2000, 100)]) == 1500


@pytest.mark.parametrize("frames", [[(0, page(3))], [(0, page(3)), (33, page(3))], [(-40, page(3))]])
def test_of_a_page_that_never_changes_nothing_is_known(frames: list[tuple[float, Frame]]) -> None:
    metrics = measure(frames)
    assert (metrics.fvc_ms, metrics.si_ms, metrics.vc85_ms, metrics.lvc_ms) == (None, None, None, None)
    assert len(metrics.progress) == 1


@pytest.mark.parametrize(
    ("colour", "counts"),
    [((250, 250, 250), False), ((255, 255, 255), False), ((249, 255, 255), True), ((255, 255, 249), True)],
)
def test_a_pixel_is_white_where_all_three_channels_reach_250(colour: tuple[int, int, int], counts: bool) -> None:
    counted = histogram(np.array([[colour]], np.uint8))
    assert counted.sum() == (3 if counts else 0)
    if counts:
        assert [counted[channel, value] for channel, value in enumerate(colour)] == [1, 1, 1]


def test_tolerance_compares_with_the_frame_kept_so_that_drift_is_seen() -> None:
    shades = [np.full((2, 2, 3), level, np.uint8) for level in (100, 103, 106, 109)]
    assert len(measure(list(enumerate(shades)), tolerance=0).progress) == 4
    # 106 is the first that is more than 5 away from 100; 109 is within 5 of 106
    assert [ms for ms, _ in measure(list(enumerate(shades)), tolerance=5).progress] == [0, 2]


def test_times_that_do_not_increase_are_refused() -> None:
    with pytest.raises(ValueError, match="must increase, but 10 ms follows 20 ms"):
        measure([(0, page(0)), (20, page(1)), (10, page(2))])


def test_frames_that_differ_in_size_are_refused() -> None:
    with pytest.raises(ValueError, match="the frame at 10 ms is 2x1, those before it 10x10"):
        measure([(0, page(0)), (10, np.zeros((1, 2, 3), np.uint8))])


def test_no_frames_are_refused() -> None:
    with pytest.raises(ValueError, match="no frames"):
        measure([])


def test_frames_are_not_kept() -> None:
    """A generator that counts how many of its frames live: two at a time are needed, never more than a few."""
    alive: list[weakref.ref[Frame]] = []
    most = 0

    def frames() -> Iterator[tuple[float, Frame]]:
        nonlocal most
        for index in range(50):
            frame = page(index)
            alive.append(weakref.ref(frame))
            most = max(most, sum(ref() is not None for ref in alive))
            yield index, frame
            del frame

    assert len(measure(frames()).progress) == 50
    assert most <= 4


def test_progress_of_a_page_that_only_grows_never_falls() -> None:
    steps = [percent for _, percent in measure([(n, page(n)) for n in range(60)]).progress]
    assert all(earlier <= later for earlier, later in pairwise(steps))


@pytest.mark.parametrize(
    ("times_ms", "sentence"),
    [
        ([0.0, 20.0], "it has 3 frames, but 2 times"),
        ([0.0, 20.0, 20.0], "the times of frames must increase, but 20 ms follows 20 ms"),
    ],
)
def test_each_frame_has_one_time_and_times_increase(times_ms: list[float], sentence: str) -> None:
    counted = [np.zeros((3, 256), np.int64)] * 3
    with pytest.raises(ValueError, match=sentence):
        of_histograms(times_ms, counted)


def test_a_frame_that_is_cut_is_found() -> None:
    stream = io.BytesIO(bytes(range(24)) + bytes(5))
    found = frames(stream, width_px=4, height_px=2)
    assert [int(plane[0, 0]) for plane in next(found)] == [0, 8, 16]
    with pytest.raises(ValueError, match="the film ends after 5 of 24 bytes of a frame"):
        next(found)
