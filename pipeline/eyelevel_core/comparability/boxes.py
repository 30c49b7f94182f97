"""Union and intersection of boxes. Pure."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

# left, top, width and height, in pixels
Box = tuple[float, ...]


def union_px(boxes: Sequence[Box]) -> float:
    """Returns the area of the union of the boxes, in square pixels.

    The plane is cut into strips at each left and right edge. In a strip, the covered heights are added.
    """
    edges = sorted({edge for left, _, width, _ in boxes for edge in (left, left + width)})
    area = 0.0
    for begin, end in pairwise(edges):
        across = [(top, top + height) for left, top, width, height in boxes if left <= begin and end <= left + width]
        area += (end - begin) * _covered(sorted(across))
    return area


def within(boxes: Iterable[Box], areas: Sequence[Box]) -> tuple[Box, ...]:
    """The parts of the boxes that lie in one of the areas, sorted."""
    parts = {part for box in boxes for area in areas if (part := _common(box, area)) is not None}
    return tuple(sorted(parts))


def _common(one: Box, other: Box) -> Box | None:
    left, top = max(one[0], other[0]), max(one[1], other[1])
    right, bottom = min(one[0] + one[2], other[0] + other[2]), min(one[1] + one[3], other[1] + other[3])
    return (left, top, right - left, bottom - top) if right > left and bottom > top else None


def _covered(spans: Sequence[tuple[float, float]]) -> float:
    """The length of the union of the spans, which are sorted by their beginnings."""
    length, reached = 0.0, float("-inf")
    for begin, end in spans:
        length += max(0.0, end - max(begin, reached))
        reached = max(reached, end)
    return length
