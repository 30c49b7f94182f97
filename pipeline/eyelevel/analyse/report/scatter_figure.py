"""Scatter plot of mean opinion scores against one metric, a mark per stimulus."""

from collections.abc import Sequence
from math import sqrt

from eyelevel.analyse.report.opinion_figure import whole_points
from eyelevel.report.words import decimal, plural
from eyelevel_figures.canvas import Drawing, Scale, horizontal_axis, line, short, vertical_axis
from eyelevel_figures.elements import tag
from eyelevel_figures.palette import mark

WIDTH, HEIGHT, LEFT = 340.0, 280.0, 34.0
# more marks than this hide each other, and make a page slow; every k-th in order of the metric is drawn
MOST_MARKS = 400


def scatter_figure(
    metric: str, points: Sequence[tuple[str, float, float]], ends: tuple[float, float], name: str
) -> Drawing:
    """Draws the points (stimulus, value of the metric, MOS); the vertical axis covers the whole scale."""
    step = -(-len(points) // MOST_MARKS) or 1
    drawn = sorted(points, key=lambda point: (point[1], point[0]))[::step]
    values = [value for _, value, _ in points] or [0.0]
    low, high = min(values), max(values)
    room = (high - low) * 0.04 or abs(high) * 0.1 or 1.0
    across, up = Scale(low - room, high + room, LEFT, WIDTH - 10), Scale(*ends, HEIGHT - 44, 30)
    words = short(metric, 34) + (f" (one stimulus in {step})" if step > 1 else "")
    marks = [
        *vertical_axis(up, LEFT, WIDTH - 10, "MOS", about=whole_points(ends)),
        *horizontal_axis(across, up.end, up.start, words, about=4),
        line(LEFT, up.start, WIDTH - 10, up.start),
    ]
    size = max(1.8, min(3.6, 30 / sqrt(len(drawn) + 1)))
    for stimulus, value, mos in drawn:
        point = mark(0, across(value), up(mos), size=size)
        point.set("fill-opacity", "0.45")
        point.append(tag("title", f"{stimulus}: {value:g}, MOS {decimal(mos)}"))
        marks.append(point)
    said = f"{plural(len(points), 'stimulus', 'stimuli')} with {metric} from {low:g} to {high:g}."
    return Drawing(name, f"Mean opinion score against {metric}", said, WIDTH, HEIGHT, marks)
