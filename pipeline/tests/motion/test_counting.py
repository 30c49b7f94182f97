"""Which changes keep a page from settling: those outside the mask, and a region's until it has appeared."""

from eyelevel.motion.counting import Counting
from eyelevel_core.model.mask import Region

SLIDE, GREY, OUTSIDE, FIRST, SECOND = 6.0, 1.0, 0, 1, 2


def counting(low_ms: float = 0.0) -> Counting:
    return Counting([Region(4, (0, 0, 32, 32), SLIDE, low_ms), Region(4, (64, 0, 32, 32), SLIDE, 0.0)])


def test_slides_after_the_first_do_not_count() -> None:
    film = counting()
    film.show(100, [(OUTSIDE, 0), (FIRST, GREY), (SECOND, SLIDE)])
    assert film.last_ms(150) == 100
    film.show(900, [(FIRST, SLIDE)])
    film.show(4_000, [(FIRST, SLIDE - 1)])
    film.show(8_000, [(FIRST, SLIDE)])
    assert film.last_ms(9_000) == 900
    film.show(9_500, [(OUTSIDE, 0), (FIRST, SLIDE)])
    assert film.last_ms(9_600) == 9_500


def test_what_changes_in_a_region_before_it_has_appeared_counts() -> None:
    film = counting()
    film.show(100, [(FIRST, GREY)])
    film.show(2_000, [(FIRST, GREY + 0.5)])
    assert film.last_ms(2_500) == 2_000


def test_a_region_that_is_cleared_counts_again_until_it_is_back() -> None:
    film = counting()
    film.show(100, [(FIRST, SLIDE)])
    film.show(5_000, [(FIRST, GREY)])
    assert film.last_ms(5_100) == 100  # a blink
    assert film.last_ms(5_101) == 5_000
    film.show(6_000, [(FIRST, SLIDE)])
    assert film.last_ms(9_000) == 6_000


def test_the_pause_of_a_carousel_that_fades_does_not_count() -> None:
    film = counting(low_ms=400)
    film.show(100, [(FIRST, SLIDE)])
    film.show(5_000, [(FIRST, GREY)])
    assert film.last_ms(5_500) == 100
    assert film.last_ms(5_601) == 5_000
