"""Frames tell by their times which are lost, and by their checksums which changed."""

from collections.abc import Container, Sequence

import pytest

from eyelevel.capture.inside.frames import (
    Frame,
    changed,
    lost_at_a_change,
    lost_frames,
    parse_framehash,
    since_navigation,
    stored,
    too_many_lost,
)


def steady(count: int, *, lost: Container[int] = (), changes: Sequence[int] = ()) -> list[Frame]:
    """Frames at 30 a second without those lost; the picture changes with each tick in `changes`."""
    ticks = [Frame(i * 1000 / 30, str(sum(change <= i for change in changes))) for i in range(count)]
    return [frame for i, frame in enumerate(ticks) if i not in lost]


def test_a_line_of_framehash_is_a_time_and_a_hash() -> None:
    line = "0, 1795266059166667, 1795266059166667,    33333,  2764800, 4572a7f65ab35140063bb3d669da6851"
    assert parse_framehash(line) == Frame(1795266059166.667, "4572a7f65ab35140063bb3d669da6851")
    assert parse_framehash("#tb 0: 1/1000000") is None


def test_a_film_holds_the_first_frame_and_those_that_differ_from_the_one_before() -> None:
    grabs = [Frame(ms, picture) for ms, picture in enumerate("aabba")]
    assert stored(grabs) == [Frame(0, "a"), Frame(2, "b"), Frame(4, "a")]
    assert stored([]) == []


def test_a_frame_has_changed_when_it_differs_from_the_one_before() -> None:
    assert changed([Frame(ms, picture) for ms, picture in enumerate("aabba")]) == [2, 4]


@pytest.mark.parametrize(("gap_ms", "lost"), [(33.3, 0), (49, 0), (52, 1), (66.6, 1), (100, 2), (1000, 29)])
def test_a_gap_counts_for_the_ticks_that_have_no_frame(gap_ms: float, lost: int) -> None:
    assert lost_frames([Frame(0, ""), Frame(gap_ms, "")], 30) == lost


def test_frames_that_come_late_and_then_fast_are_lost_only_while_they_were_late() -> None:
    assert lost_frames([Frame(ms, "") for ms in (0, 100, 101, 102, 133)], 30) == 2


def test_the_frame_on_the_screen_at_navigation_start_is_the_first() -> None:
    frames = [Frame(ms, "") for ms in (50, 90, 133, 166)]
    assert since_navigation(frames, 100) == frames[1:]
    assert since_navigation(frames, 40) == frames


def test_a_gap_just_before_a_change_voids_a_film_once_it_is_long() -> None:
    assert not too_many_lost(steady(100, lost=range(50, 53), changes=[53]), 30)
    assert too_many_lost(steady(100, lost=range(50, 54), changes=[54]), 30)
    assert too_many_lost(steady(100, lost=range(50, 54), changes=[51]), 30)


def test_how_late_a_change_may_be_seen_does_not_hang_on_the_frame_rate() -> None:
    ticks = [Frame(i * 1000 / 60, str(i >= 57)) for i in range(200)]
    assert not too_many_lost([*ticks[:51], *ticks[57:]], 60)
    assert too_many_lost([*ticks[:50], *ticks[57:]], 60)


def test_a_gap_across_which_nothing_changes_hides_nothing() -> None:
    film = steady(100, lost=range(50, 58), changes=[10, 90])
    assert lost_at_a_change(film, 30) == 0
    assert not too_many_lost(film, 30)


def test_a_film_that_misses_more_than_every_fifth_frame_is_void() -> None:
    assert not too_many_lost(steady(1000, lost=range(0, 1000, 5)), 30)
    assert too_many_lost(steady(1000, lost=range(0, 1000, 4)), 30)
