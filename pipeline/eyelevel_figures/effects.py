"""Equivalence plot: the effects of the plan's hypotheses with both intervals over the band within the margin."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import Literal
from xml.etree.ElementTree import Element

from eyelevel_figures.canvas import Scale, horizontal_axis, label
from eyelevel_figures.elements import tag
from eyelevel_figures.figure import SMALL, Body, Figure, FigureColumn, FigureTable, Look, declared, make, rows_of
from eyelevel_figures.marks import Axis, interval, named
from eyelevel_figures.palette import BAND, FAINT, INK, colour, mark
from eyelevel_figures.text import paragraph, wrapped
from eyelevel_stats.reasons import reason_of
from eyelevel_stats.rows.hypotheses import EffectRow
from eyelevel_stats.rows.words import POOLED, level_decimals

Kind = Literal["rate", "compare"]
# BESIDE: room for words to the right of the rows
ROW, BESIDE = 30.0, 198.0
# an interval is cut where it is longer than this many times the largest estimate or margin
LONGEST = 4.0
NAMES = (
    "hypothesis", "network", "first", "second", "verdict", "estimate", "level", "ci_low", "ci_high", "inner_level",
    "inner_low", "inner_high", "p_value", "p_holm", "claim", "holds_alone", "margin", "margin_d", "margin_si",
    "margin_si_why", "least_margin", "detectable", "power", "participants", "sites",
)  # fmt: skip


def draw(rows: Sequence[EffectRow], kind: Kind, look: Look) -> Figure:
    """Draws the effects of hypotheses of one kind, which have one unit, in the plan's order."""
    words = look.words
    of_kind = [row for row in rows if row.kind == kind]
    most = _most(of_kind)
    left, right = (8.0, look.width - 12) if look.narrow else (110.0, look.width - 212)
    scale = Scale(-most, most, left, right)
    across = Axis(scale)
    levels = words("effects.levels", outer=words.level(of_kind[0].level), inner=words.level(of_kind[0].inner_level))
    drawn, y = paragraph(wrapped(levels, look.width, SMALL), 0, SMALL + 2, size=SMALL, colour=FAINT)
    bands: list[Element] = []
    above = y - 8
    for _, group in groupby(of_kind, key=lambda row: row.hypothesis):
        effects = list(group)
        head, below = paragraph(wrapped(_head(effects[0], look), look.width, bold=True), 0, y + 14, bold=True)
        drawn += head
        y = top = below - 4
        for row in effects:
            marks, height = _row(row, y, across, look)
            drawn += marks
            y += height
        bands += _band(effects[0], scale, top, y)
        y += 6
    unit = words(f"effects.{kind}.axis")
    about = 4 if look.narrow else 6
    axis = horizontal_axis(scale, above, y, unit, lambda value: _amount(value, kind, look), about=about)
    pairs = {(row.first, row.second) for row in of_kind}
    first, second = pairs.pop() if len(pairs) == 1 else (words("effects.any_first"), words("effects.any_second"))
    toward_second = words("effects.second", second=second)
    ends = [
        label(words("effects.first", first=first), left, y + 50, colour=FAINT, size=11),
        label(toward_second, right, y + (66 if look.narrow else 50), anchor="end", colour=FAINT, size=11),
    ]
    cut = any(across.is_cut(row.ci_low, row.ci_high) for row in of_kind)
    missing = any(row.ci_low is None for row in of_kind)
    return make(
        f"effects-{kind}",
        words(f"effects.{kind}.title"),
        Body([*bands, *axis, *drawn, *ends], y + (72 if look.narrow else 56)),
        look,
        alternative=" ".join(_said(row, look) for row in of_kind),
        how_to_read=words("effects.how"),
        table=FigureTable(_columns(of_kind, look), rows_of([_with_reason(row, look) for row in of_kind], NAMES)),
        notes=[words("cut.axis")] * cut + [words("effects.few")] * missing,
    )


def _most(rows: Sequence[EffectRow]) -> float:
    """The largest absolute value of the axis: all intervals, unless they are long beside the effects and margins."""
    ends = [end for row in rows for end in (row.estimate, row.ci_low, row.ci_high, row.margin) if end is not None]
    held = [end for row in rows for end in (row.estimate, row.margin) if end is not None]
    least = 0.02 if rows[0].kind == "compare" else 0.1
    return 1.05 * max(least, min(max(map(abs, ends)), LONGEST * max(least, *map(abs, held))))


def _row(row: EffectRow, y: float, across: Axis, look: Look) -> tuple[list[Element], float]:
    scale = across.scale
    verdict = look.words(f"verdict.{row.verdict}")
    beside = [text for text in (_in_units(row, look), _margin_and_detectable(row, look)) if text]
    if look.narrow:
        lines, below = paragraph(wrapped(f"{_place(row, look)}: {verdict}", look.width), 0, y + 11, size=11.5)
        more, below = paragraph(wrapped("; ".join(beside), look.width, SMALL), 0, below, size=SMALL, colour=FAINT)
        lines += more
        middle = below + 2
        height = middle + 14 - y
    else:
        x, broken = scale.end + 14, wrapped(verdict, BESIDE, 11.5)
        small = [line for words in beside for line in wrapped(words, BESIDE, SMALL)]
        words, below = paragraph(broken, x, y + 15, size=11.5, colour=INK)
        more, below = paragraph(small, x, below - 1, size=SMALL, colour=FAINT)
        height = max(ROW, below - 6 - y)
        middle = y + height / 2
        lines = [label(_place(row, look), 0, middle + 4), *words, *more]
    ink = colour(0)
    marks = interval(across, row.ci_low, row.ci_high, middle, ink=ink)
    marks += interval(across, row.inner_low, row.inner_high, middle, ink=ink, width=5, head=0)
    marks.append(named(mark(0, scale.cut(row.estimate), middle), _said(row, look)))
    return [*lines, *marks], height


def _band(row: EffectRow, scale: Scale, top: float, bottom: float) -> list[Element]:
    if row.margin is None:
        return []
    low, high = scale.cut(-row.margin), scale.cut(row.margin)
    return [tag("rect", x=low, y=top, width=high - low, height=bottom - top, fill=BAND)]


def _head(row: EffectRow, look: Look) -> str:
    head = f"{row.hypothesis}: {_pair(row)}"
    return (
        head if row.margin is None else f"{head} ({look.words('effects.margin')} ±{_unsigned(row.margin, row, look)})"
    )


def _pair(row: EffectRow) -> str:
    """In the plan's order: the effect is the change from the first stack to the second."""
    return f"{row.first} → {row.second}"


def _in_units(row: EffectRow, look: Look) -> str:
    """The margin in standard deviations of votes and as a change of SI, as far as they are known."""
    parts = []
    if row.margin_d is not None:
        parts.append(look.words("effects.d", d=look.words.decimal(row.margin_d)))
    if row.margin_si is not None:
        parts.append(look.words("effects.si", change=look.words.percent(row.margin_si)))
    return " = ".join([look.words("effects.margin"), *parts]) if parts else ""


def _margin_and_detectable(row: EffectRow, look: Look) -> str:
    """The smallest margin and the detectable difference."""
    known = [("effects.least", row.least_margin), ("effects.detectable", row.detectable)]
    parts = [look.words(key, value=_unsigned(value, row, look)) for key, value in known if value is not None]
    return "; ".join(parts)


def _place(row: EffectRow, look: Look) -> str:
    return look.words("all_networks") if row.network == POOLED else row.network


def _amount(value: float | None, kind: str, look: Look) -> str:
    """Points of the scale, or percentage points."""
    if value is None or kind == "rate":
        return look.words.signed(value, 2)
    return look.words.signed(100 * value, 0)


def _unsigned(value: float, row: EffectRow, look: Look) -> str:
    return _amount(value, row.kind, look).removeprefix("+")


def _said(row: EffectRow, look: Look) -> str:
    beside = [text for text in (_in_units(row, look), _margin_and_detectable(row, look)) if text]
    return look.words(
        "effects.said",
        hypothesis=row.hypothesis,
        place=_place(row, look),
        pair=_pair(row),
        estimate=_amount(row.estimate, row.kind, look),
        interval=_interval(row.ci_low, row.ci_high, row.kind, look),
        level=look.words.level(row.level),
        inner=_interval(row.inner_low, row.inner_high, row.kind, look),
        inner_level=look.words.level(row.inner_level),
        beside="".join(f"; {text}" for text in beside),
        verdict=look.words(f"verdict.{row.verdict}"),
        n=row.participants,
    )


def _interval(low: float | None, high: float | None, kind: str, look: Look) -> str:
    return f"[{_amount(low, kind, look)}{look.words.between}{_amount(high, kind, look)}]"


def _with_reason(row: EffectRow, look: Look) -> EffectRow:
    """The row with its reason in the language of the figure."""
    if row.margin_si_reason is None:
        return row
    return replace(row, margin_si_why=look.words.reason(reason_of(row.margin_si_reason)))


def _columns(rows: Sequence[EffectRow], look: Look) -> list[FigureColumn]:
    # fractions, of which percentages have two decimals less
    level_digits = 2 + max(level_decimals(level) for row in rows for level in (row.level, row.inner_level))
    digits = {"p_value": 3, "p_holm": 3} | dict.fromkeys(
        (
            "estimate", "ci_low", "ci_high", "inner_low", "inner_high", "margin", "margin_d", "margin_si",
            "least_margin", "detectable", "power",
        ),
        2,
    ) | dict.fromkeys(("level", "inner_level"), max(3, level_digits))  # fmt: skip
    return declared(EffectRow, NAMES, look, digits)
