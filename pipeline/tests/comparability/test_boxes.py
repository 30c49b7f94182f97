"""The area that boxes cover, against counting the pixels."""

from hypothesis import given
from hypothesis import strategies as st

from eyelevel_core.comparability.boxes import Box, union_px

SIDES = st.integers(0, 8).map(float)
BOXES = st.lists(st.tuples(SIDES, SIDES, SIDES, SIDES), max_size=6)


def counted(boxes: list[Box]) -> int:
    return sum(
        any(x <= column < x + width and y <= row < y + height for x, y, width, height in boxes)
        for column in range(16)
        for row in range(16)
    )


@given(BOXES)
def test_a_pixel_that_several_boxes_cover_counts_once(boxes: list[Box]) -> None:
    assert union_px(boxes) == counted(boxes)


def test_boxes_between_pixels_keep_their_fractions() -> None:
    assert union_px([(0.5, 0.5, 2.0, 1.0), (1.5, 0.75, 2.0, 1.0)]) == 2.0 + 2.0 - 0.75
    assert union_px([]) == 0.0
