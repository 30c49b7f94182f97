"""MOS of clips against a metric: a mark per clip with its interval, and the fitted mapping with its band."""

from collections.abc import Sequence
from math import ceil, floor
from xml.etree.ElementTree import Element

import numpy as np

from eyelevel_core.model.metrics import Metric
from eyelevel_figures.canvas import Scale, horizontal_axis, label, line
from eyelevel_figures.elements import tag
from eyelevel_figures.encoding import Encoding
from eyelevel_figures.ends import ENDS, HIGH, LOW
from eyelevel_figures.figure import Body, Figure, FigureTable, Look, declared, make
from eyelevel_figures.log_scale import LogScale, scale_of
from eyelevel_figures.marks import Axis, interval, networks_and_stacks, of_clip
from eyelevel_figures.palette import FAINT, GRID, colour, mark
from eyelevel_stats.prediction.mapping import Mapping, Model
from eyelevel_stats.rows.metrics import ModelRow
from eyelevel_stats.rows.study import PointRow
from eyelevel_stats.rows.words import ALL
from eyelevel_stats.samples import MIN_CLIPS

TOP, BOTTOM, LEFT = 26.0, 290.0, 28.0
# the shortest axis of scores, in points: noise should not look like an effect
LEAST_SPAN = 2
CURVE, CURVE_BAND = "#3d4754", "#e4e7eb"
STEPS = 80


def draw(
    metric: Metric, points: Sequence[PointRow], look: Look, *, encoding: Encoding, mappings: Sequence[ModelRow] = ()
) -> Figure:
    """Draws clips with a known value, and the mapping that was chosen for all networks together."""
    words = look.words
    per_unit = 1000.0 if metric.unit else 1.0
    dots = [(point, value / per_unit) for point in points if (value := point.metrics[metric.field]) is not None]
    across = scale_of([x for _, x in dots], LEFT + 4, look.width - 10)
    low, high = _range([point for point, _ in dots])
    up = Scale(low, high, BOTTOM, TOP)
    bars = Axis(up, ENDS, upright=True)
    name = words("scatter.in_s", metric=metric.label) if metric.unit else metric.label
    axis = f"{name} ({words('scatter.log')})" if isinstance(across, LogScale) else name
    marks: list[Element] = []
    for score in range(low, high + 1):
        marks.append(line(LEFT, up(score), look.width - 10, up(score), colour=GRID))
        marks.append(label(str(score), LEFT - 8, up(score) + 4, anchor="end", colour=FAINT, size=11))
    marks.append(label(words("scatter.mos"), 0, 14, colour=FAINT))
    marks += horizontal_axis(across, TOP, BOTTOM, axis, words.plain, about=4 if look.narrow else 7)
    fit = _fit(metric, mappings)
    marks += _curve(*fit, across, up, per_unit) if fit else []
    for point, x in dots:
        ink = colour(encoding.network(point.network))
        bar = interval(bars, point.ci_low, point.ci_high, across(x), ink=ink, width=1, head=4)
        marks += [tag("g", bar, stroke_opacity=0.45, fill_opacity=0.45)] if bar else []
    for point, x in dots:
        ink = colour(encoding.network(point.network))
        dot = mark(encoding.stack(point.stack), across(x), up.cut(point.mos), ink=ink, size=4)
        dot.set("fill-opacity", "0.7")
        marks.append(of_clip(dot, _said(point, x, name, look), point.clip_sha256, look))
    legend, height = networks_and_stacks(encoding.networks, encoding.stacks, look)
    marks.append(tag("g", legend, transform=f"translate(0,{BOTTOM + 42:.2f})"))
    axis_cut = (low, high) != ENDS
    bar_cut = any(bars.is_cut(point.ci_low, point.ci_high) for point, _ in dots)
    return make(
        f"against-{metric.key}",
        words("scatter.title", metric=metric.label),
        Body(marks, BOTTOM + 46 + height),
        look,
        alternative=_alternative(metric, dots, fit, look),
        how_to_read=words("scatter.how") + (f" {words('scatter.how_fit')}" if fit else ""),
        table=_table(metric, dots, look),
        notes=[words("scatter.cut", low=low, high=high)] * axis_cut
        + [words("cut.scale")] * bar_cut
        + [words("scatter.few")] * (len(dots) < MIN_CLIPS),
        opens=True,
    )


def _range(points: Sequence[PointRow]) -> tuple[int, int]:
    """The whole points of the scale around all scores and intervals, at least two points apart."""
    held = [value for point in points for value in (point.mos, point.ci_low, point.ci_high) if value is not None]
    low = max(int(LOW), floor(min(held)))
    high = min(int(HIGH), max(low + LEAST_SPAN, ceil(max(held))))
    return min(low, high - LEAST_SPAN), high


def _fit(metric: Metric, mappings: Sequence[ModelRow]) -> tuple[Mapping, float] | None:
    """The chosen mapping and its error for clips of a site that was left out."""
    for row in mappings:
        is_drawn = row.network == ALL and row.metric == metric.label and row.chosen
        if is_drawn and row.a is not None and row.b is not None and row.rmse_loso is not None:
            return Mapping(Model(row.model), row.a, row.b, row.c, (LOW, HIGH)), row.rmse_loso
    return None


def _curve(mapping: Mapping, error: float, across: Scale, up: Scale, per_unit: float) -> list[Element]:
    """The mapping over the drawn range, and the band of one error to each side."""
    pixels = np.linspace(across.start + 1, across.end, STEPS)
    share = (pixels - across.start) / (across.end - across.start)
    if isinstance(across, LogScale):
        x = across.low * (across.high / across.low) ** share
    else:
        x = across.low + share * (across.high - across.low)
    mos = mapping.mos(x * per_unit)

    def path(values: Sequence[float]) -> list[str]:
        return [f"{pixel:.1f} {up.cut(float(value)):.1f}" for pixel, value in zip(pixels, values, strict=True)]

    above, below = path(list(mos + error)), path(list(mos - error))
    return [
        tag("path", d=f"M {' L '.join([*above, *reversed(below)])} z", fill=CURVE_BAND, fill_opacity=0.7),
        tag("path", d=f"M {' L '.join(path(list(mos)))}", fill="none", stroke=CURVE, stroke_width=1.6),
    ]


def _said(point: PointRow, x: float, name: str, look: Look) -> str:
    show = look.words
    where = f"{point.site}, {point.network}, {point.stack}"
    known = "" if point.ci_low is None else f" {show.interval(point.ci_low, point.ci_high)}"
    return f"{where}: {name} {show.decimal(x, 3)}, MOS {show.decimal(point.mos)}{known}, n = {point.n}"


def _alternative(
    metric: Metric, dots: Sequence[tuple[PointRow, float]], fit: tuple[Mapping, float] | None, look: Look
) -> str:
    values = [x for _, x in dots]
    shown = [f"{look.words.decimal(value, 2)}{' s' if metric.unit else ''}" for value in (min(values), max(values))]
    said = look.words("scatter.said", n=len(dots), metric=metric.label, low=shown[0], high=shown[1])
    if fit is None:
        return said
    return f"{said} {look.words('scatter.said_fit', model=fit[0].model.value, error=look.words.decimal(fit[1]))}"


def _table(metric: Metric, dots: Sequence[tuple[PointRow, float]], look: Look) -> FigureTable:
    names = ("site", "network", "stack", "n", metric.field, "mos", "ci_low", "ci_high", "clip_sha256")
    digits = {metric.field: 0 if metric.unit else 3} | dict.fromkeys(("mos", "ci_low", "ci_high"), 2)
    head = {metric.field: f"{metric.label} (ms)" if metric.unit else metric.label}
    return FigureTable(
        declared(PointRow, names, look, digits, **head),
        [
            [point.metrics[name] if name == metric.field else getattr(point, name) for name in names]
            for point, _ in dots
        ],
    )
