"""What the recorder says is read as frames; a film is void if it lacks changes, or shows one late."""

import pytest

from eyelevel.loads.inside.filming.frames import (
    Clock,
    End,
    Frame,
    Losses,
    Until,
    cut,
    losses,
    parse,
    since_navigation,
    too_late,
)

END = End(5000.0, merged=3, equal=1, lost=0)


def film(count: int, *, late_ms: float = 2.5, lost: int = 0) -> list[Frame]:
    """The screen before, and then so many changes; the last one was late, and after a loss."""
    frames = [Frame(20.0 * number, None, late_ms=2.5) for number in range(count)]
    return [*frames, Frame(20.0 * count, None, late_ms=late_ms, lost=lost)]


def test_each_line_is_the_clock_a_frame_a_time_or_the_end() -> None:
    line = '{"time_us":1795266059166667,"late_us":2100,"lost":1,"unquiet":true,"colour":null,"rectangles":[[0,0,4,4]]}'
    assert parse(line) == Frame(1795266059166.667, None, late_ms=2.1, lost=1, unquiet=True)
    assert parse('{"clock_us":1795459422195949}') == Clock(1795459422195.949)
    assert parse('{"until_us":1795266059166667}') == Until(1795266059166.667)
    assert parse('{"end_us":2000,"merged":3,"equal":2,"lost":1}') == End(2.0, merged=3, equal=2, lost=1)


def test_the_frame_on_the_screen_at_navigation_start_is_the_first() -> None:
    frames = [Frame(ms, None) for ms in (50, 90, 133, 166)]
    assert since_navigation(frames, 100) == frames[1:]
    assert since_navigation(frames, 40) == frames


def test_what_was_lost_before_the_first_frame_does_not_count_and_what_was_lost_in_the_end_does() -> None:
    shown = [Frame(0, None, late_ms=500, lost=7, unquiet=True), Frame(20, None, late_ms=4, lost=1, unquiet=True)]
    assert losses(shown, End(40, merged=0, equal=0, lost=2)) == Losses(lost=3, late_ms=4, unquiet=1)
    assert losses(shown[:1], END) == Losses(lost=0, late_ms=0, unquiet=0)


@pytest.mark.parametrize("until_ms", [40.0, 59.9])
def test_a_film_ends_where_the_page_has_settled_and_lacks_nothing_of_what_came_later(until_ms: float) -> None:
    frames = [*film(2), Frame(60.0, None, late_ms=900, lost=4, unquiet=True)]
    shown, end = cut(frames, End(99.0, merged=3, equal=1, lost=2), until_ms)
    assert (shown, end) == (frames[:3], End(until_ms, merged=3, equal=1, lost=0))
    assert losses(shown, end) == Losses(lost=0, late_ms=2.5, unquiet=0)


def test_a_film_that_is_not_cut_keeps_what_was_lost_in_its_end() -> None:
    end = End(99.0, merged=3, equal=1, lost=2)
    assert cut(film(2), end, 99.0) == (film(2), end)


@pytest.mark.parametrize(("late_ms", "void"), [(1_999.9, False), (2_000.1, True)])
def test_a_change_that_was_fetched_too_late_voids_a_film_and_losses_alone_do_not(late_ms: float, void: bool) -> None:
    assert too_late(losses(film(100, late_ms=late_ms, lost=50), END)) is void
