"""Marks that several figures share: intervals, cut ends, points of clips and legends."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from eyelevel_figures.canvas import Scale, label, line
from eyelevel_figures.elements import tag
from eyelevel_figures.figure import Look
from eyelevel_figures.palette import FAINT, colour, mark
from eyelevel_figures.text import width_of

LEGEND_LINE = 20.0


def interval(
    scale: Scale, low: float | None, high: float | None, y: float, *, ink: str, thick: bool = False
) -> list[Element]:
    """A horizontal line from low to high; an arrow at each end that lies beyond the scale. Nothing where unknown."""
    if low is None or high is None:
        return []
    drawn = [line(scale.cut(low), y, scale.cut(high), y, colour=ink, width=5 if thick else 1.6)]
    if not thick:
        drawn += [arrow(scale.start, y, ink, left=True)] if low < scale.low else []
        drawn += [arrow(scale.end, y, ink, left=False)] if high > scale.high else []
    return drawn


def arrow(x: float, y: float, ink: str, *, left: bool) -> Element:
    """The end of an interval that goes on beyond the scale."""
    way = -1 if left else 1
    return tag("path", d=f"M {x:.2f} {y - 5:.2f} l {6 * way} 5 l {-6 * way} 5 z", fill=ink, data_cut="yes")


def named(element: Element, words: str) -> Element:
    """The element with a tooltip."""
    element.insert(0, tag("title", words))
    return element


def of_clip(element: Element, words: str, clip: str, look: Look) -> Element:
    """A mark of a clip with its tooltip; where clips can be opened, a button with the clip's digest."""
    named(element, words)
    if look.clips:
        for key, value in (("data-clip", clip), ("tabindex", "0"), ("role", "button"), ("aria-label", words)):
            element.set(key, value)
    return element


def networks_and_stacks(networks: Sequence[str], stacks: Sequence[str], look: Look) -> tuple[list[Element], float]:
    """A legend in which colour is the network and shape the stack; its marks from y = 0, and its height."""
    lines = [
        (look.words("network"), [(name, mark(0, 0, 0, ink=colour(place))) for place, name in enumerate(networks)]),
        (look.words("stack"), [(name, mark(place, 0, 0, ink=FAINT)) for place, name in enumerate(stacks)]),
    ]
    return legend([(title, items) for title, items in lines if items], look)


def legend(lines: Sequence[tuple[str, Sequence[tuple[str, Element]]]], look: Look) -> tuple[list[Element], float]:
    """Lines of a title and named marks, broken where the width ends; each mark is drawn about (0, 0)."""
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
