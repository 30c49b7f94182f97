"""Frames tell by their times which are lost, and by their checksums which changed."""

import pytest

from eyelevel.capture.inside.frames import (
    Frame,
    changed,
    lost_frames,
    parse_framecrc,
    since_navigation,
    too_many_lost,
    white_checksums,
)


def steady(count: int, interval_ms: float = 1000 / 30) -> list[float]:
    return [i * interval_ms for i in range(count)]


def test_a_line_of_framecrc_is_a_time_and_a_checksum() -> None:
    line = "0, 1795254945253709, 1795254945253709,    33333,  3686400, 0x3346ea01"
    assert parse_framecrc(line) == Frame(1795254945253.709, 0x3346EA01)
    assert parse_framecrc("#tb 0: 1/1000000") is None


def test_a_white_screen_has_the_checksum_that_ffmpeg_gave_to_one() -> None:
    # ffmpeg -f lavfi -i color=white:s=1280x720 -vf format=bgr0 -frames:v 1 -f framecrc -, and x11grab of a white window
    assert white_checksums(1280, 720) >= {0x640C08A5}


def test_a_frame_has_changed_when_it_differs_from_the_one_before() -> None:
    assert changed([Frame(0, 1), Frame(1, 1), Frame(2, 5), Frame(3, 5), Frame(4, 1)]) == [2, 4]


@pytest.mark.parametrize(("gap_ms", "lost"), [(33.3, 0), (49, 0), (52, 1), (66.6, 1), (100, 2), (1000, 29)])
def test_a_gap_counts_for_the_ticks_that_have_no_frame(gap_ms: float, lost: int) -> None:
    assert lost_frames([0, gap_ms], 30) == lost


def test_frames_that_come_late_and_then_fast_are_lost_only_while_they_were_late() -> None:
    assert lost_frames([0, 100, 101, 102, 133], 30) == 2


def test_times_count_from_navigation_start() -> None:
    assert since_navigation([Frame(90, 0), Frame(100, 0), Frame(133, 0)], 100) == [0, 33]


def test_one_lost_frame_in_twenty_is_still_a_film() -> None:
    times = steady(100)
    assert not too_many_lost([t for i, t in enumerate(times) if i not in {20, 40, 60, 80}], 30)
    assert too_many_lost([t for i, t in enumerate(times) if i % 16], 30)


def test_a_long_gap_voids_a_film_however_long_it_is() -> None:
    times = steady(1000)
    assert not too_many_lost([t for i, t in enumerate(times) if not 500 <= i < 503], 30)
    assert too_many_lost([t for i, t in enumerate(times) if not 500 <= i < 504], 30)
