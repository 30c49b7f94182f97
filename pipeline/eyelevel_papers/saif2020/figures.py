"""Draws the metrics at a point as bars, and scores and metrics over delay and loss as lines."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from xml.etree.ElementTree import Element

from eyelevel.report.words import ms
from eyelevel_core.model.metrics import LABELS
from eyelevel_figures.canvas import Drawing, Scale, around, horizontal_axis, label, vertical_axis
from eyelevel_figures.elements import number, tag
from eyelevel_figures.palette import FAINT, colour, dash, mark
from eyelevel_papers.saif2020.points import Both, Point

WIDTH, LEFT, RIGHT, TOP, BOTTOM = 460.0, 58.0, 442.0, 44.0, 250.0
BARS = ("fcp", "si", "lcp", "tti")
BAR, GROUP = 15.0, 46.0
LEGEND_ROW, LEGEND_COLUMN = 18, 190

Value = Callable[[Point], float | None]


def metric_bars(both: Both, head: str, name: str) -> Drawing:
    """Draws figure 3: the mean of each time over both protocols, and TBT and CLS as text."""
    arms = (both.h2, both.h3)
    values = {(key, point.arm): point.mean(key) for key in BARS for point in arms}
    x = Scale(0, around([value for value in values.values() if value is not None], least=1)[1], LEFT, RIGHT)
    bottom = 34.0 + GROUP * len(BARS)
    marks = [label(head, 4, 18, bold=True, size=14), *horizontal_axis(x, 34, bottom, "mean over audits, ms")]
    for place, key in enumerate(BARS):
        y = 40.0 + GROUP * place
        marks.append(label(LABELS[key], LEFT - 8, y + BAR + 4, anchor="end", colour=FAINT))
        for row, point in enumerate(arms):
            if (value := values[key, point.arm]) is not None:
                marks.append(
                    tag("rect", x=LEFT, y=y + BAR * row, width=x(value) - LEFT, height=BAR - 2, fill=colour(row))
                )
                marks.append(_at_bar(ms(value), x(value), y + BAR * row + 11))
    words = []
    for row, point in enumerate(arms):
        tbt, cls = point.mean("tbt"), point.mean("cls_sum")
        rest = f"TBT {ms(tbt)} ms, CLS {'–' if cls is None else f'{cls:.3f}'}"
        marks.append(tag("rect", x=LEFT, y=bottom + 44 + 18 * row, width=11, height=11, fill=colour(row)))
        marks.append(label(f"{point.arm}: {rest}", LEFT + 17, bottom + 54 + 18 * row))
        times = ", ".join(f"{LABELS[key]} {ms(values[key, point.arm])} ms" for key in BARS)
        words.append(f"{point.arm}: {times}, {rest}.")
    return Drawing(name, f"Metrics, {head}", " ".join(words), WIDTH, bottom + 84, marks)


def _at_bar(words: str, end: float, y: float) -> Element:
    """Beside the bar, or in it where there is no room."""
    if end + 40 > RIGHT:
        return label(words, end - 4, y, anchor="end", colour="#fff", size=11)
    return label(words, end + 4, y, size=11)


@dataclass(frozen=True)
class Curve:
    """The value that a figure draws for each point: its name, and its unit, if any."""

    key: str
    words: str
    unit: str
    value: Value


def curve(arms: Mapping[str, Sequence[Point]], *, over: str, shown: Curve, name: str) -> Drawing:
    """Draws a value of every arm over `over` (delay or loss), with a mark per point at which it is known."""
    lines = {arm: [(_at(point, over), value) for point in points if (value := shown.value(point)) is not None]
             for arm, points in arms.items()}  # fmt: skip
    known = [point for points in lines.values() for point in points]
    x = Scale(0, max((at for at, _ in known), default=1.0) or 1.0, LEFT, RIGHT)
    y = Scale(0, around([value for _, value in known], least=1)[1], BOTTOM, TOP)
    axis = "delay towards the client, ms" if over == "delay" else "loss towards the client, %"
    head = f"{shown.words} over {over}"
    marks = [
        label(head, 4, 18, bold=True, size=14),
        *horizontal_axis(x, TOP, BOTTOM, axis),
        *vertical_axis(y, LEFT, RIGHT, f"{shown.words}{shown.unit}"),
    ]
    said = []
    for place, (arm, points) in enumerate(lines.items()):
        path = " ".join(f"{number(x(at))},{number(y(value))}" for at, value in points)
        stroke = {"stroke": colour(place), "stroke_dasharray": dash(place)}
        marks.append(tag("polyline", points=path, fill="none", stroke_width=1.8, **stroke))
        marks += [mark(place, x(at), y(value), size=3.5) for at, value in points]
        left, top = LEFT + LEGEND_COLUMN * (place % 2), BOTTOM + 50 + LEGEND_ROW * (place // 2)
        marks += [mark(place, left + 5, top, size=4), label(arm, left + 16, top + 4)]
        said.append(f"{arm}: {', '.join(f'{at:g}: {value:,.0f}' for at, value in points) or 'unknown'}.")
    height = BOTTOM + 46 + LEGEND_ROW * ceil(len(lines) / 2)
    return Drawing(name, head, " ".join(said), WIDTH, height, marks)


def _at(point: Point, over: str) -> float:
    return point.at.delay_ms if over == "delay" else 100 * point.at.loss
