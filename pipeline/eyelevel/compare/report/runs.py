"""Strip plot: every run as a mark."""

from collections.abc import Iterator, Sequence
from math import ceil, floor, log10
from xml.etree.ElementTree import Element

from eyelevel.compare.model import Load
from eyelevel.report.words import ms, plural
from eyelevel_core.model.metrics import LABELS, METRIC_OF
from eyelevel_figures.canvas import Drawing, Scale, label, line
from eyelevel_figures.elements import tag
from eyelevel_figures.palette import FAINT, GRID, mark

WIDTH, LEFT, RIGHT, LANE, GAP = 460.0, 126.0, 440.0, 10.0, 8.0


def run_marks(network: str, metric: str, loads: Sequence[Load], name: str) -> Drawing:
    """Draws a lane per site and stack, on a logarithmic axis; censored and unknown runs are counted, not drawn."""
    stacks = sorted({load.stack for load in loads})
    sites = list(dict.fromkeys(load.site for load in loads))
    values = [value for load in loads if (value := _value(load, metric)) is not None]
    scale = _scale(values or [1000.0])
    drawn: list[Element] = []
    y = 38.0
    for site in sites:
        drawn.append(label(site, LEFT - 8, y + LANE * len(stacks) / 2 + 4, anchor="end", size=11))
        for place, stack in enumerate(stacks):
            of_stack = [load for load in loads if (load.site, load.stack) == (site, stack)]
            drawn += _lane(of_stack, metric, place, scale, y + LANE / 2)
            y += LANE
        y += GAP
        drawn.append(line(LEFT, y - GAP / 2, RIGHT, y - GAP / 2))
    marks = [label(f"{network}, {LABELS[metric]}", 4, 20, bold=True, size=15), *_axis(scale, 34, y), *drawn]
    for place, stack in enumerate(stacks):
        x, low = LEFT + 110 * (place % 3), y + 32 + 16 * (place // 3)
        marks += [mark(place, x + 5, low, size=3), label(stack, x + 15, low + 4, size=11)]
    missing = len(loads) - len(values)
    words = f"{plural(len(values), 'run')} of {plural(len(sites), 'site')} with {', '.join(stacks)}, {_span(values)}"
    words += f"; {plural(missing, 'run')} without a value." if missing else "."
    height = y + 36 + 16 * ceil(len(stacks) / 3)
    return Drawing(name, f"Every run on {network}: {LABELS[metric]} in ms", words, WIDTH, height, marks)


def _value(load: Load, metric: str) -> float | None:
    value = load.metrics[metric]
    return value if value and (load.settled or not METRIC_OF[metric].needs_end) else None


def _lane(loads: Sequence[Load], metric: str, place: int, scale: Scale, y: float) -> Iterator[Element]:
    for load in loads:
        value = _value(load, metric)
        if value is not None:
            point = mark(place, scale(log10(value)), y, size=2.6)
            point.set("fill-opacity", "0.55")
            point.append(tag("title", f"{load.site}, {load.stack}, run {load.run}: {ms(value)} ms"))
            yield point


def _scale(values: Sequence[float]) -> Scale:
    low, high = log10(min(values)), log10(max(values))
    return Scale(floor(low * 10 - 0.2) / 10, ceil(high * 10 + 0.2) / 10, LEFT, RIGHT)


def _axis(scale: Scale, top: float, bottom: float) -> Iterator[Element]:
    """Ticks at 1, 2 and 5 times the powers of ten."""
    for power in range(floor(scale.low), ceil(scale.high) + 1):
        for factor in (1, 2, 5):
            value = factor * 10.0**power
            if scale.low <= log10(value) <= scale.high:
                x = scale(log10(value))
                yield line(x, top, x, bottom, colour=GRID)
                yield label(f"{ms(value)} ms", x, bottom + 14, anchor="middle", colour=FAINT, size=11)


def _span(values: Sequence[float]) -> str:
    return f"from {ms(min(values))} to {ms(max(values))} ms" if values else "no value known"
