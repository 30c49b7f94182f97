"""Figure of means or shares with intervals: a line each, or by rank if there are many."""

from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from eyelevel.report.words import decimal, plural, sentence_case
from eyelevel_figures.canvas import Drawing, Scale, horizontal_axis, label, short, vertical_axis
from eyelevel_figures.elements import tag
from eyelevel_figures.marks import Axis, interval
from eyelevel_figures.palette import colour, mark

WIDTH, ROW = 720.0, 17.0
# more lines than this would be a picture longer than a page
MOST_LINES = 40
# more marks than this cannot be told apart; every k-th is drawn
MOST_MARKS = 360
MOST_LETTERS = 46


@dataclass(frozen=True)
class Mean:
    """One mean to draw; the ends of its interval are None if unknown."""

    name: str
    mos: float
    ci_low: float | None
    ci_high: float | None
    n: int


@dataclass(frozen=True)
class Wording:
    """Words of the figure: the quantity on the axis, singular and plural of its lines, and the unit of `n`."""

    quantity: str = "mean opinion score"
    one: str = "stimulus"
    many: str = "stimuli"
    n: str = "n"
    # whether intervals were cut at the ends of the scale
    cut: bool = True


SCORES = Wording()


def opinion_figure(means: Sequence[Mean], ends: tuple[float, float], name: str, wording: Wording = SCORES) -> Drawing:
    """Draws the means in the given order; `ends` are the ends of the scale, which the axis covers."""
    return _lines(means, ends, name, wording) if len(means) <= MOST_LINES else _ranks(means, ends, name, wording)


def is_cut(means: Sequence[Mean], ends: tuple[float, float]) -> bool:
    """Returns whether an interval was cut at an end of the scale."""
    return any(Axis(Scale(*ends, *ends), ends).is_cut(mean.ci_low, mean.ci_high) for mean in means)


def _axis(scale: Scale, wording: Wording, *, upright: bool = False) -> Axis:
    return Axis(scale, (scale.low, scale.high), upright) if wording.cut else Axis(scale, upright=upright)


def _lines(means: Sequence[Mean], ends: tuple[float, float], name: str, wording: Wording) -> Drawing:
    left = min(330.0, max([60.0, *(18 + 6.6 * len(short(mean.name, MOST_LETTERS)) for mean in means)]))
    scale = Scale(*ends, left, WIDTH - 70)
    top = 24.0
    bottom = top + ROW * len(means) + 6
    marks = horizontal_axis(scale, top, bottom, wording.quantity, about=whole_points(ends))
    marks.append(label(wording.n, WIDTH - 14, 16, anchor="end"))
    for place, mean in enumerate(means):
        y = top + ROW * (place + 0.5) + 3
        marks.append(label(short(mean.name, MOST_LETTERS), left - 10, y + 4, anchor="end", size=11.5))
        marks.append(label(f"{mean.n:,}", WIDTH - 14, y + 4, anchor="end", size=11))
        marks += interval(_axis(scale, wording), mean.ci_low, mean.ci_high, y, ink=colour(0), width=2, head=5)
        marks.append(_point(mean, scale(mean.mos), y, 4.0))
    return Drawing(name, _title(means, wording), _words(means, ends, wording), WIDTH, bottom + 42, marks)


def _ranks(means: Sequence[Mean], ends: tuple[float, float], name: str, wording: Wording) -> Drawing:
    """Every k-th of the means in order of their value, from the lowest to the highest."""
    ordered = sorted(means, key=lambda mean: mean.mos)
    step = -(-len(ordered) // MOST_MARKS)
    drawn = [(rank, mean) for rank, mean in enumerate(ordered, 1) if (rank - 1) % step == 0 or rank == len(ordered)]
    across, up = Scale(0, len(ordered) + 1, 46, WIDTH - 14), Scale(*ends, 330, 34)
    words = f"rank of the {wording.one}" + (f"; one in {step} is drawn" if step > 1 else "")
    marks = [
        *vertical_axis(up, 46, WIDTH - 14, wording.quantity, about=whole_points(ends)),
        *horizontal_axis(across, up.start, up.start, words),
    ]
    thin = max(0.7, min(2.0, 250 / len(drawn)))
    for rank, mean in drawn:
        axis = _axis(up, wording, upright=True)
        marks += interval(axis, mean.ci_low, mean.ci_high, across(rank), ink="#8fb4d1", width=thin, head=2 * thin)
    marks += [_point(mean, across(rank), up(mean.mos), 2.2) for rank, mean in drawn]
    return Drawing(name, _title(means, wording), _words(means, ends, wording), WIDTH, 374, marks)


def _point(mean: Mean, x: float, y: float, size: float) -> Element:
    point = mark(0, x, y, size=size)
    point.append(tag("title", _said(mean)))
    return point


def _said(mean: Mean) -> str:
    interval = "" if mean.ci_low is None else f" [{decimal(mean.ci_low)}, {decimal(mean.ci_high)}]"
    return f"{mean.name}: {decimal(mean.mos)}{interval}, n {mean.n:,}"


def _title(means: Sequence[Mean], wording: Wording) -> str:
    return f"{sentence_case(wording.quantity)} of {plural(len(means), wording.one, wording.many)}"


def _words(means: Sequence[Mean], ends: tuple[float, float], wording: Wording) -> str:
    if not means:
        return "There is nothing to draw."
    low, high = min(means, key=lambda mean: mean.mos), max(means, key=lambda mean: mean.mos)
    return (
        f"On a scale from {ends[0]:g} to {ends[1]:g}, with 95 % intervals. The lowest {wording.one} is {_said(low)}; "
        f"the highest is {_said(high)}. Every value is in the table."
    )


def whole_points(ends: tuple[float, float]) -> int:
    """Returns the number of ticks of a scale: one per point, if it is short."""
    span = ends[1] - ends[0]
    return round(span) if 2 <= span <= 10 else 5
