"""Box plots of times by stack and size as one SVG, with what the report's figures are drawn with."""

import statistics
from collections.abc import Mapping, Sequence
from xml.etree.ElementTree import Element, tostring

from eyelevel_figures.canvas import Drawing, Scale, label, line
from eyelevel_figures.elements import tag
from eyelevel_figures.palette import FAINT, GRID, colour

PANEL, LEFT, TOP, BOTTOM = 190.0, 44.0, 34.0, 190.0


def boxes(title: str, panels: Mapping[str, Mapping[str, Sequence[float]]]) -> str:
    """`panels` has ms by panel and stack; each panel has a scale of its own from 0. Box: quartiles; line: all."""
    marks: list[Element] = []
    for place, (head, stacks) in enumerate(panels.items()):
        left = place * PANEL + LEFT
        scale = Scale(0, max(max(times) for times in stacks.values()) * 1.05, BOTTOM, TOP)
        marks.append(label(head, left, 18, bold=True))
        for tick in scale.ticks(4):
            marks.append(line(left, scale(tick), left + PANEL - LEFT - 12, scale(tick), colour=GRID))
            marks.append(label(f"{tick:g}", left - 5, scale(tick) + 4, anchor="end", colour=FAINT, size=10))
        for number, (stack, times) in enumerate(stacks.items()):
            marks += _box(stack, times, left + 32 + 66 * number, scale, colour(number))
    words = "; ".join(
        f"{head}: " + ", ".join(f"{stack} {statistics.median(times):.1f} ms" for stack, times in stacks.items())
        for head, stacks in panels.items()
    )
    figure = Drawing("boxes", title, f"Medians: {words}.", PANEL * len(panels), BOTTOM + 34, marks)
    element = figure.element()
    element.set("xmlns", "http://www.w3.org/2000/svg")
    return tostring(element, encoding="unicode") + "\n"


def _box(stack: str, times: Sequence[float], x: float, scale: Scale, ink: str) -> list[Element]:
    low, middle, high = (scale(ms) for ms in statistics.quantiles(times, n=4))
    return [
        line(x, scale(min(times)), x, scale(max(times)), colour=ink),
        tag("rect", x=x - 14, y=high, width=28, height=max(low - high, 1), fill="#fff", stroke=ink, stroke_width=1.5),
        line(x - 14, middle, x + 14, middle, colour=ink, width=2.5),
        label(stack, x, BOTTOM + 16, anchor="middle", size=11),
    ]
