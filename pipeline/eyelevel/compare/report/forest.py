"""Forest plot: geometric mean gains with their intervals, one figure per network."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from eyelevel.compare.inference import OverallTest
from eyelevel.report.words import interval, percent
from eyelevel_core.model.metrics import LABELS
from eyelevel_figures.canvas import Drawing, Scale, around, gain_axis, label, line
from eyelevel_figures.elements import tag
from eyelevel_figures.palette import FAINT, colour, mark

WIDTH, LEFT, RIGHT, ROW, HEAD = 460.0, 56.0, 430.0, 17.0, 24.0
# an axis shows at least this much to either side; intervals of two or three sites are wider than any plot
LEAST = 0.05


def forest(network: str, rows: Sequence[OverallTest], name: str) -> Drawing:
    """Draws a line per pair and metric: the thick bar is for these very sites, the thin bar for sites like these."""
    known = [row for row in rows if row.estimate is not None]
    scale = Scale(*around(_ends(known), least=LEAST), LEFT, RIGHT)
    pairs = list(dict.fromkeys(row.pair for row in known))
    top = 34.0
    y = top
    drawn: list[Element] = []
    for pair in pairs:
        y += HEAD
        drawn.append(label(str(pair), 4, y - 7, bold=True))
        for row in (row for row in known if row.pair == pair):
            drawn += _line(row, scale, y + ROW / 2)
            y += ROW
    marks = [label(network, 4, 20, bold=True, size=15), *gain_axis(scale, top, y + 4), *drawn]
    marks.append(label("← new stack faster", scale(0) - 8, y + 36, anchor="end", colour=FAINT, size=11))
    marks.append(label("slower →", scale(0) + 8, y + 36, colour=FAINT, size=11))
    description = " ".join(_words(row) for row in known) or "No gain could be estimated."
    return Drawing(name, f"Geometric mean gain on {network}", description, WIDTH, y + 44, marks)


def _ends(rows: Sequence[OverallTest]) -> list[float]:
    """The values that the axis covers: all gains and narrow intervals, and wide intervals up to twice that."""
    estimates = [row.estimate for row in rows if row.estimate is not None]
    core = [end for each in estimates for end in (each.gain, each.here_ci_low, each.here_ci_high) if end is not None]
    farthest = 2 * max([LEAST, *map(abs, core)])
    wide = [end for each in estimates for end in (each.gain_ci_low, each.gain_ci_high) if end is not None]
    return [*core, *(max(-farthest, min(farthest, end)) for end in wide)]


def _interval(
    low: float | None, high: float | None, scale: Scale, y: float, *, shade: str, width: float
) -> list[Element]:
    """A bar, with an arrow head if it continues beyond the axis."""
    if low is None or high is None:
        return []
    drawn = [line(scale.cut(low), y, scale.cut(high), y, colour=shade, width=width)]
    for end, beyond, way in ((scale.low, low < scale.low, -1), (scale.high, high > scale.high, 1)):
        if beyond:
            x = scale(end)
            points = f"{x:.2f},{y - 3.5:.2f} {x + 6 * way:.2f},{y:.2f} {x:.2f},{y + 3.5:.2f}"
            drawn.append(tag("polygon", points=points, fill=shade))
    return drawn


def _line(row: OverallTest, scale: Scale, y: float) -> list[Element]:
    estimate = row.estimate
    assert estimate is not None  # noqa: S101 - rows without a gain are not drawn
    place = list(LABELS).index(row.metric)
    drawn = [label(LABELS[row.metric], LEFT - 11, y + 4, anchor="end", colour=FAINT, size=11)]
    drawn += _interval(estimate.gain_ci_low, estimate.gain_ci_high, scale, y, shade=colour(place), width=1.4)
    drawn += _interval(estimate.here_ci_low, estimate.here_ci_high, scale, y, shade=colour(place), width=5)
    point = mark(place, scale.cut(estimate.gain), y, hollow=not (row.decided and row.readable))
    point.append(tag("title", _words(row)))
    return [*drawn, point]


def _words(row: OverallTest) -> str:
    estimate = row.estimate
    assert estimate is not None  # noqa: S101 - rows without a gain are not drawn
    likely = (
        ""
        if estimate.gain_ci_low is None
        else f" (95 % interval {interval(estimate.gain_ci_low, estimate.gain_ci_high)})"
    )
    return f"{row.pair}, {LABELS[row.metric]}: {percent(estimate.gain)}{likely}."
