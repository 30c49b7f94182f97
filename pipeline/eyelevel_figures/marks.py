"""Marks that several figures share: intervals, cut ends, points of clips and legends."""

from collections.abc import Sequence
from dataclasses import dataclass
from json import dumps
from math import inf
from typing import Protocol
from xml.etree.ElementTree import Element

from eyelevel_figures.canvas import Scale, label, line
from eyelevel_figures.elements import tag
from eyelevel_figures.figure import Look
from eyelevel_figures.palette import FAINT, colour, mark
from eyelevel_figures.text import width_of

LEGEND_LINE = 20.0


class Condition(Protocol):
    """The condition of a row, without its stacks."""

    @property
    def site(self) -> str: ...

    @property
    def network(self) -> str: ...

    @property
    def context(self) -> str: ...


@dataclass(frozen=True)
class Axis:
    """The scale on which intervals are drawn, and the bounds at which they were cut before, if any."""

    scale: Scale
    bounds: tuple[float, float] = (-inf, inf)
    upright: bool = False

    def cuts(self, low: float | None, high: float | None) -> tuple[bool, bool]:
        """Whether the interval is cut at either end, or extends beyond the scale; one without width is not cut."""
        if low is None or high is None:
            return False, False
        wide, (least, most) = low < high, self.bounds
        return low < self.scale.low or (wide and low <= least), high > self.scale.high or (wide and high >= most)

    def is_cut(self, low: float | None, high: float | None) -> bool:
        return any(self.cuts(low, high))


def interval(
    axis: Axis, low: float | None, high: float | None, at: float, *, ink: str, width: float = 1.6, head: float = 6.0
) -> list[Element]:
    """Draws a line from low to high, and an arrow of `head` px, unless that is 0, at each end that is cut.

    Nothing where the interval is unknown.
    """
    if low is None or high is None:
        return []
    ends = [axis.scale.cut(low), axis.scale.cut(high)]
    (x1, y1), (x2, y2) = ((at, end) if axis.upright else (end, at) for end in ends)
    drawn = [line(x1, y1, x2, y2, colour=ink, width=width)]
    for end, way, cut in zip(ends, (-1, 1), axis.cuts(low, high), strict=True):
        drawn += [_arrow(end, at, ink, -way * head if axis.upright else way * head, upright=axis.upright)] * (
            cut and head > 0
        )
    return drawn


def _arrow(end: float, at: float, ink: str, length: float, *, upright: bool) -> Element:
    """The cut end of an interval; `length` is below 0 where it points to the left or up."""
    half = abs(length) * 5 / 6
    if upright:
        d = f"M {at - half:.2f} {end:.2f} l {half:.2f} {length:.2f} l {half:.2f} {-length:.2f} z"
    else:
        d = f"M {end:.2f} {at - half:.2f} l {length:.2f} {half:.2f} l {-length:.2f} {half:.2f} z"
    return tag("path", d=d, fill=ink, data_cut="yes")


def named(element: Element, words: str) -> Element:
    """Adds a tooltip to the element."""
    element.insert(0, tag("title", words))
    return element


def of_clip(element: Element, words: str, clip: str, look: Look) -> Element:
    """Returns a mark of a clip with its tooltip; where clips can be opened, a button with the clip's digest."""
    return _opens(element, words, "data-clip", clip, look)


def of_condition(marks: Sequence[Element], words: str, row: Condition, stacks: Sequence[str], look: Look) -> Element:
    """Groups the marks of a condition, with its tooltip; where clips can be opened, as a button with its JSON.

    Of a pair of stacks, either may be the left one.
    """
    shown = {"site": row.site, "network": row.network, "stacks": sorted(stacks), "context": row.context}
    return _opens(tag("g", marks), words, "data-condition", dumps(shown, ensure_ascii=False), look)


def _opens(element: Element, words: str, name: str, value: str, look: Look) -> Element:
    named(element, words)
    if look.clips:
        for key, setting in ((name, value), ("tabindex", "0"), ("role", "button"), ("aria-label", words)):
            element.set(key, setting)
    return element


def networks_and_stacks(networks: Sequence[str], stacks: Sequence[str], look: Look) -> tuple[list[Element], float]:
    """Draws a legend of networks by colour and stacks by shape; returns its marks from y = 0, and its height."""
    lines = [
        (look.words("network"), [(name, mark(0, 0, 0, ink=colour(place))) for place, name in enumerate(networks)]),
        (look.words("stack"), [(name, mark(place, 0, 0, ink=FAINT)) for place, name in enumerate(stacks)]),
    ]
    return legend([(title, items) for title, items in lines if items], look)


def legend(lines: Sequence[tuple[str, Sequence[tuple[str, Element]]]], look: Look) -> tuple[list[Element], float]:
    """Draws lines of a title and named marks, wrapped at the width; each mark is drawn about (0, 0)."""
    drawn: list[Element] = []
    y = LEGEND_LINE / 2 + 2
    for title, items in lines:
        x = 0.0
        if title:
            drawn.append(label(f"{title}:", 0, y + 4, colour=FAINT))
            x = width_of(f"{title}:") + 10
        for name, point in items:
            room = width_of(name) + 34
            if x > 0 and x + room > look.width:
                x, y = 0.0, y + LEGEND_LINE
            drawn += [tag("g", point, transform=f"translate({x + 7:.2f},{y:.2f})"), label(name, x + 16, y + 4)]
            x += room
        y += LEGEND_LINE
    return drawn, y - LEGEND_LINE / 2 + 2
