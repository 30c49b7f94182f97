"""Leaderboard of metrics: rank correlation with MOS within sites and raw, noise ceilings, and the best set."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor
from xml.etree.ElementTree import Element

from eyelevel_figures.canvas import Scale, horizontal_axis, label, short
from eyelevel_figures.elements import tag
from eyelevel_figures.figure import Body, Figure, FigureTable, Look, declared, make
from eyelevel_figures.marks import Axis, interval, legend, named
from eyelevel_figures.palette import colour, mark
from eyelevel_stats.rows.metrics import OPPOSITE, YES, BestRow, LeaderRow

ROW, TOP = 24.0, 8.0
WITHIN, RAW = colour(0), colour(1)
NAMES = (
    "metric", "best", "clips", "sites", "theta", "ci_low", "ci_high", "theta_raw", "ceiling_spearman",
    "ceiling_centred",
)  # fmt: skip


@dataclass(frozen=True)
class Line:
    """Agreement of one metric, with the sign by which 1 is full agreement; None where it is unknown."""

    metric: str
    best: bool
    clips: int
    sites: int | None
    theta: float | None
    ci_low: float | None
    ci_high: float | None
    theta_raw: float | None
    ceiling_spearman: float | None
    ceiling_centred: float | None


def draw(
    leaders: Sequence[LeaderRow], best: Sequence[BestRow], look: Look, *, resampled: bool = True, stimuli: bool = False
) -> Figure:
    """Draws rows of one network, or of all; `best` may be empty.

    Unless the best set was computed (`resampled`), it is unknown whether there are too few clips for it. `stimuli`: the
    rows are about a user's stimuli, not about clips.
    """
    words = look.words
    over_all = words("leaders.raw_stimuli" if stimuli else "leaders.raw")
    lines = lines_of(leaders, best)
    left = 96.0 if look.narrow else 190.0
    ends = [end for line in lines for end in (line.theta, line.theta_raw, line.ci_low) if end is not None]
    scale = Scale(max(-1.0, floor(5 * min(0.0, *ends)) / 5), 1, left, look.width - 12)
    bottom = TOP + ROW * len(lines)
    marks = horizontal_axis(scale, TOP, bottom, words("leaders.axis"), words.plain, about=4 if look.narrow else 6)
    marks += _ceiling([line.ceiling_spearman for line in lines], scale, bottom, RAW, "6 4")
    marks += _ceiling([line.ceiling_centred for line in lines], scale, bottom, WITHIN, "2 3")
    for place, line in enumerate(lines):
        y = TOP + ROW * (place + 0.5)
        name = short(line.metric, 11 if look.narrow else 26)
        marks.append(label(f"★ {name}" if line.best else name, left - 10, y + 4, anchor="end", bold=line.best))
        marks += interval(Axis(scale), line.ci_low, line.ci_high, y, ink=WITHIN)
        if line.theta_raw is not None:
            marks.append(named(mark(1, scale(line.theta_raw), y, hollow=True, ink=RAW), said(line, look)))
        if line.theta is not None:
            marks.append(named(mark(0, scale(line.theta), y, ink=WITHIN), said(line, look)))
    items = [("", [(words("leaders.within"), mark(0, 0, 0, ink=WITHIN)),
                   (over_all, mark(1, 0, 0, hollow=True, ink=RAW))])]  # fmt: skip
    if any(line.ceiling_spearman or line.ceiling_centred for line in lines):
        items.append(("", [(words("leaders.ceiling_raw"), _dash(RAW, "6 4")),
                           (words("leaders.ceiling_within"), _dash(WITHIN, "2 3"))]))  # fmt: skip
    drawn, height = legend(items, look)
    marks.append(tag("g", drawn, transform=f"translate(0,{bottom + 40:.2f})"))
    intervals = any(line.ci_low is not None for line in lines)
    return make(
        "leaderboard",
        words("leaders.title"),
        Body(marks, bottom + 44 + height),
        look,
        alternative=" ".join(said(line, look) for line in lines),
        how_to_read=words("leaders.how"),
        table=FigureTable(
            declared(
                BestRow,
                NAMES,
                look,
                dict.fromkeys(NAMES[4:], 2),
                theta=words("leaders.within"),
                theta_raw=words("leaders.raw"),
                ceiling_spearman=words("leaders.ceiling_raw"),
                ceiling_centred=words("leaders.ceiling_within"),
            ),
            [[_cell(line, name, look) for name in NAMES] for line in lines],
        ),
        notes=[words("leaders.no_intervals")] if resampled and not intervals else [],
    )


def lines_of(leaders: Sequence[LeaderRow], best: Sequence[BestRow]) -> list[Line]:
    """Returns the metrics with a known correlation, the one that agrees best first."""
    best_of = {row.metric: row for row in best}
    lines = []
    for row in leaders:
        if row.spearman is None:
            continue
        other = best_of.get(row.metric)
        sign = _sign(row)
        known = other is not None and other.theta is not None
        lines.append(
            Line(
                metric=row.metric,
                best=other is not None and other.best == YES,
                clips=row.clips,
                sites=row.sites,
                theta=other.theta if other and known else _signed(row.spearman_centred, sign),
                ci_low=other.ci_low if other and known else None,
                ci_high=other.ci_high if other and known else None,
                theta_raw=_signed(row.spearman, sign),
                ceiling_spearman=row.ceiling_spearman if row.ceiling is not None else None,
                ceiling_centred=row.ceiling_centred,
            )
        )
    return sorted(lines, key=lambda line: -(line.theta if line.theta is not None else line.theta_raw or 0))


def said(line: Line, look: Look) -> str:
    """Returns a sentence about the metric."""
    show = look.words.decimal
    parts = f"{line.metric}: "
    if line.theta is not None:
        known = "" if line.ci_low is None else f" {look.words.interval(line.ci_low, line.ci_high)}"
        parts += f"{look.words('leaders.within')} {show(line.theta)}{known}, "
    parts += f"{look.words('leaders.raw')} {show(line.theta_raw)}"
    return f"{parts}; {look.words('leaders.best')}." if line.best else f"{parts}."


def _sign(row: LeaderRow) -> int:
    """1 or -1, by which the raw correlation becomes agreement: the direction says which one was expected."""
    agrees = row.direction != OPPOSITE
    positive = (row.spearman or 0) > 0
    return 1 if agrees == positive else -1


def _signed(value: float | None, sign: int) -> float | None:
    return None if value is None else value * sign


def _ceiling(values: Sequence[float | None], scale: Scale, bottom: float, ink: str, dash: str) -> list[Element]:
    """A vertical line at the largest ceiling: metrics may be known for different clips."""
    known = [value for value in values if value is not None]
    if not known:
        return []
    x = scale.cut(max(known))
    return [tag("path", d=f"M {x:.2f} {TOP - 6:.2f} V {bottom:.2f}", fill="none", stroke=ink, stroke_width=1.8,
                stroke_dasharray=dash)]  # fmt: skip


def _dash(ink: str, dash: str) -> Element:
    return tag("path", d="M 0 -7 V 7", fill="none", stroke=ink, stroke_width=1.8, stroke_dasharray=dash)


def _cell(line: Line, name: str, look: Look) -> str | int | float | None:
    value: str | int | float | None = getattr(line, name)
    return look.words("yes" if value else "no") if name == "best" else value
