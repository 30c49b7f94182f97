"""The answer as a picture: geometric mean gains with their intervals, one figure per network."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from eyelevel.compare.belief import OverallTest
from eyelevel.compare.model import METRIC_NAMES
from eyelevel.compare.report.canvas import Figure, Scale, around, gain_axis, label, line
from eyelevel.compare.report.elements import tag
from eyelevel.compare.report.palette import FAINT, colour, mark
from eyelevel.compare.report.words import interval, percent

WIDTH, LEFT, RIGHT, ROW, HEAD = 460.0, 56.0, 430.0, 17.0, 24.0
# intervals of two or three sites are wider than any picture
FARTHEST = 1.0


def forest(network: str, rows: Sequence[OverallTest], name: str) -> Figure:
    """One line per pair and metric: the thick bar is for these very sites, the thin one for sites like these."""
    known = [row for row in rows if row.found is not None]
    scale = Scale(*around(_ends(known), least=0.05), LEFT, RIGHT)
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
    return Figure(name, f"Geometric mean gain on {network}", description, WIDTH, y + 44, marks)


def _ends(rows: Sequence[OverallTest]) -> list[float]:
    ends = []
    for row in rows:
        if row.found is not None:
            own = (row.found.gain, row.found.gain_ci_low, row.found.gain_ci_high)
            ends += [max(-FARTHEST, min(FARTHEST, end)) for end in own if end is not None]
    return ends


def _line(row: OverallTest, scale: Scale, y: float) -> list[Element]:
    found = row.found
    assert found is not None  # noqa: S101 - rows without a gain are not drawn
    place = list(METRIC_NAMES).index(row.metric)
    drawn = [label(METRIC_NAMES[row.metric], LEFT - 8, y + 4, anchor="end", colour=FAINT, size=11)]
    if found.gain_ci_low is not None and found.gain_ci_high is not None:
        low, high = scale.cut(found.gain_ci_low), scale.cut(found.gain_ci_high)
        drawn.append(line(low, y, high, y, colour=colour(place), width=1.4))
    if found.here_ci_low is not None and found.here_ci_high is not None:
        low, high = scale.cut(found.here_ci_low), scale.cut(found.here_ci_high)
        drawn.append(line(low, y, high, y, colour=colour(place), width=5))
    point = mark(place, scale.cut(found.gain), y, hollow=not row.decided)
    point.append(tag("title", _words(row)))
    return [*drawn, point]


def _words(row: OverallTest) -> str:
    found = row.found
    assert found is not None  # noqa: S101 - rows without a gain are not drawn
    likely = "" if found.gain_ci_low is None else f" (95 % interval {interval(found.gain_ci_low, found.gain_ci_high)})"
    return f"{row.pair}, {METRIC_NAMES[row.metric]}: {percent(found.gain)}{likely}."
