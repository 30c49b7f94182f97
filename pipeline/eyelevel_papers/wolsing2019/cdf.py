"""Cumulative distributions of the gain over sites, per network and metric (figure 3 of 2019)."""

from collections.abc import Mapping, Sequence
from math import ceil
from statistics import median
from xml.etree.ElementTree import Element

from eyelevel.report.steps import step_path
from eyelevel.report.words import percent, plural
from eyelevel_figures.canvas import Drawing, Scale, around, gain_axis, label, line
from eyelevel_figures.elements import number, tag
from eyelevel_figures.palette import FAINT, GRID, colour, dash

WIDTH, LEFT, RIGHT, TOP, BOTTOM = 310.0, 38.0, 288.0, 30.0, 180.0
LEGEND_ROW = 16


def cdf(head: str, reference: str, gains: Mapping[str, Sequence[float]], span: Sequence[float], name: str) -> Drawing:
    """Draws one line per stack; `span` has the gains of all panels of the network, so that they share an axis."""
    scale = Scale(*around(span, least=0.05), LEFT, RIGHT)
    share = Scale(0, 1, BOTTOM, TOP)
    marks = [label(head, 4, 16, bold=True, size=13), *gain_axis(scale, TOP, BOTTOM, about=4)]
    for tick in (0, 0.5, 1):
        marks.append(line(LEFT, share(tick), RIGHT, share(tick), colour=GRID))
        marks.append(
            label(f"{tick:.0%}".replace("%", " %"), LEFT - 4, share(tick) + 4, anchor="end", colour=FAINT, size=10)
        )
    stacks = sorted(gains)
    for place, stack in enumerate(stacks):
        if gains[stack]:
            marks.append(_curve(place, gains[stack], scale, share))
    marks.append(label(f"gain against {reference}; share of sites", LEFT, BOTTOM + 31, colour=FAINT, size=11))
    marks += _legend(stacks)
    height = BOTTOM + 42 + LEGEND_ROW * ceil(len(stacks) / 2)
    words = [
        f"{stack}: {plural(len(stack_gains), 'site')}, median {percent(median(stack_gains))}."
        for stack, stack_gains in gains.items()
        if stack_gains
    ]
    return Drawing(name, f"Gain over sites, {head}", " ".join(words) or "No gain is known.", WIDTH, height, marks)


def _legend(stacks: Sequence[str]) -> list[Element]:
    """Draws two stacks per row, so that long names stay inside the picture."""
    marks = []
    for place, stack in enumerate(stacks):
        x, y = LEFT + 126 * (place % 2), BOTTOM + 46 + LEGEND_ROW * (place // 2)
        marks += [_stroke(place, f"M {number(x)} {number(y)} h 22"), label(stack, x + 27, y + 4, size=11)]
    return marks


def _curve(place: int, gains: Sequence[float], scale: Scale, share: Scale) -> Element:
    return _stroke(place, step_path(gains, scale, share))


def _stroke(place: int, path: str) -> Element:
    return tag("path", d=path, fill="none", stroke=colour(place), stroke_width=2, stroke_dasharray=dash(place))
