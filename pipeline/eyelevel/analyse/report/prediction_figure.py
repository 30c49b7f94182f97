"""Figure of observed against predicted MOS of left-out clips, with prediction intervals."""

from collections.abc import Sequence

from eyelevel.analyse.report.opinion_figure import whole_points
from eyelevel.report.words import decimal, plural
from eyelevel_figures.canvas import Drawing, Scale, horizontal_axis, line, vertical_axis
from eyelevel_figures.elements import tag
from eyelevel_figures.palette import FAINT, colour, mark
from eyelevel_stats.prediction.coverage import LeftOutRow

WIDTH, HEIGHT, LEFT = 440.0, 400.0, 34.0
INSIDE, OUTSIDE = 0, 1


def prediction_figure(rows: Sequence[LeftOutRow], ends: tuple[float, float], name: str) -> Drawing:
    """Draws a mark per clip with an interval, on axes of the whole scale; marks outside it have another shape."""
    across, up = Scale(*ends, LEFT, WIDTH - 10), Scale(*ends, HEIGHT - 44, 30)
    about = whole_points(ends)
    marks = [
        *vertical_axis(up, LEFT, WIDTH - 10, "observed MOS", about=about),
        *horizontal_axis(across, up.end, up.start, "predicted MOS, with its 90 % interval", about=about),
        line(across.start, up.start, across.end, up.end, colour=FAINT),
    ]
    inside = 0
    for row in rows:
        if row.predicted is None or row.low is None or row.high is None:
            continue
        kind = INSIDE if row.inside == "yes" else OUTSIDE
        inside += kind == INSIDE
        bar = line(across(row.low), up(row.mos), across(row.high), up(row.mos), colour=colour(kind), width=1.4)
        bar.set("stroke-opacity", "0.5")
        point = mark(kind, across(row.predicted), up(row.mos), ink=colour(kind), size=3.4)
        point.append(
            tag(
                "title",
                f"{row.clip}: predicted {decimal(row.predicted)} ({decimal(row.low)} to {decimal(row.high)}), observed "
                f"{decimal(row.mos)}",
            )
        )
        marks += [bar, point]
    known = sum(row.predicted is not None for row in rows)
    said = f"{plural(known, 'clip')} with a prediction; the observed MOS of {inside} lies within the interval."
    return Drawing(name, "Predicted and observed MOS of left-out sites", said, WIDTH, HEIGHT, marks)
