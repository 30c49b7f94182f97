"""When a region that moves for ever has first appeared (M2)."""

import numpy as np
import pytest

from eyelevel.motion.appearance import appeared_ms, longest_low_ms, median_bits, usual_low_ms
from eyelevel.motion.regions import area, entropy_bits
from eyelevel_core.model.device import Viewport
from eyelevel_core.model.mask import Region

SLIDE, OTHER, GREY, FADED = 6.0, 5.0, 1.0, 0.0


def region(low_ms: float = 0.0) -> Region:
    return Region(tiles=4, box=(0, 0, 32, 32), entropy_bits=SLIDE, low_ms=low_ms)


def test_a_grey_box_is_no_appearance_but_the_first_slide_is() -> None:
    series = [(200.0, GREY), (900.0, SLIDE), (4_000.0, OTHER), (8_000.0, SLIDE)]
    assert appeared_ms(series, region(), end_ms=9_000) == 900


def test_a_poster_of_half_the_entropy_is_the_appearance() -> None:
    assert appeared_ms([(300.0, SLIDE / 2), (900.0, SLIDE)], region(), end_ms=9_000) == 300
    assert appeared_ms([(300.0, SLIDE / 2 - 0.01), (900.0, SLIDE)], region(), end_ms=9_000) == 900


def test_a_region_that_is_cleared_again_appears_when_it_comes_back() -> None:
    assert appeared_ms([(300.0, SLIDE), (500.0, GREY), (2_000.0, SLIDE)], region(), end_ms=9_000) == 2_000


def test_a_region_that_stays_empty_never_appears() -> None:
    assert appeared_ms([(300.0, GREY)], region(), end_ms=9_000) is None
    assert appeared_ms([], region(), end_ms=9_000) is None
    assert appeared_ms([(300.0, SLIDE), (5_000.0, GREY)], region(), end_ms=9_000) is None


def test_a_carousel_that_fades_through_white_has_appeared_with_its_first_slide() -> None:
    series = [(900.0, SLIDE), (4_000.0, FADED), (4_400.0, OTHER), (8_000.0, FADED), (8_400.0, SLIDE)]
    assert appeared_ms(series, region(low_ms=400), end_ms=9_000) == 900
    assert appeared_ms(series, region(), end_ms=9_000) == 8_400  # the rule without the pause that the probe saw
    assert appeared_ms([*series[:2]], region(low_ms=400), end_ms=4_500) == 900
    assert appeared_ms([*series[:2]], region(low_ms=400), end_ms=4_700) is None


def test_a_long_blank_after_a_first_flash_is_loading_also_where_slides_fade() -> None:
    series = [(200.0, SLIDE), (300.0, FADED), (2_000.0, SLIDE), (6_000.0, FADED), (6_400.0, SLIDE)]
    assert appeared_ms(series, region(low_ms=400), end_ms=9_000) == 2_000


def test_a_blink_is_no_pause_and_what_is_longer_is() -> None:
    assert appeared_ms([(300.0, SLIDE), (500.0, GREY), (599.0, SLIDE)], region(), end_ms=9_000) == 300
    assert appeared_ms([(300.0, SLIDE), (500.0, GREY), (601.0, SLIDE)], region(), end_ms=9_000) == 601


def test_one_load_whose_region_was_empty_for_long_decides_nothing() -> None:
    fading, stuck = [(0.0, SLIDE), (500.0, FADED), (900.0, SLIDE)], [(0.0, SLIDE), (500.0, FADED), (8_500.0, SLIDE)]
    found = [
        usual_low_ms(loads, least_bits=3.0, ends_ms=[9_000.0] * 5) for loads in ([fading] * 4 + [stuck], [stuck] * 5)
    ]
    assert found == [400, 8_000]
    assert usual_low_ms([stuck] * 2 + [fading] * 3, least_bits=3.0, ends_ms=[9_000.0] * 5) == 8_000
    assert usual_low_ms([fading] * 3 + [stuck], least_bits=3.0, ends_ms=[9_000.0] * 4) == 400
    assert usual_low_ms([fading], least_bits=3.0, ends_ms=[9_000.0]) == 400


def test_the_median_counts_time_and_not_frames() -> None:
    quick = [(float(n), 1.0) for n in range(100)]
    assert median_bits([[*quick, (100.0, 5.0)]], ends_ms=[1_000.0]) == 5.0
    assert median_bits([[(0.0, 1.0)], [(0.0, 3.0)], [(0.0, 7.0)]], ends_ms=[10.0, 10.0, 10.0]) == 3.0
    assert median_bits([], ends_ms=[]) == 0.0


def test_the_longest_pause_is_the_one_without_a_break() -> None:
    series = [(0.0, 0.5), (100.0, 0.2), (400.0, 3.0), (500.0, 0.0), (700.0, 3.0), (900.0, 0.0)]
    assert longest_low_ms(series, least_bits=1.0, end_ms=1_000.0) == 400.0
    assert longest_low_ms(series, least_bits=1.0, end_ms=2_000.0) == 1_100.0
    assert longest_low_ms(series, least_bits=0.0, end_ms=1_000.0) == 0.0


@pytest.mark.parametrize(("counts", "bits"), [([0, 9, 0], 0.0), ([5, 5], 1.0), ([1] * 256, 8.0), ([0, 0], 0.0)])
def test_entropy_in_bits(counts: list[int], bits: float) -> None:
    assert entropy_bits(counts) == bits


def test_the_entropy_of_a_region_is_of_its_own_pixels_alone() -> None:
    picture = np.full((48, 48, 3), 255, np.uint8)
    picture[:16, :16], picture[16:32, 16:32] = 0, 128
    stairs = area(frozenset({(0, 0), (1, 1)}), Viewport(48, 48), 16)
    assert stairs.luminance_entropy(stairs.cut(picture)) == 1.0  # the white corners of its box are not its own
