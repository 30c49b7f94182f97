"""Specification curve: one effect under each combination of rules, sorted, with the rules below.

U. Simonsohn, J. P. Simmons and L. D. Nelson, Specification curve analysis, Nature Human Behaviour 4 (2020).
"""

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from eyelevel_figures.canvas import Scale, label, line
from eyelevel_figures.elements import tag
from eyelevel_figures.figure import Body, Cell, Figure, FigureTable, Look, declared, make
from eyelevel_figures.marks import legend, named
from eyelevel_figures.palette import FAINT, GRID, INK, colour, mark
from eyelevel_stats.rows.trust import NEWER, NO_RULE, VARIED, MultiverseRow, MultiverseSummaryRow
from eyelevel_stats.rows.words import POOLED

TOP, BOTTOM, RULE = 10.0, 190.0, 15.0
SAME, OTHER = colour(0), colour(1)

# these are applied together
BOTH_NEWER = "/".join(NEWER)
NAMES = ("rules", "plan", "sessions", "estimate", "ci_low", "ci_high", "verdict")


def draw(rows: Sequence[MultiverseRow], summary: MultiverseSummaryRow, look: Look) -> Figure:
    """Draws one effect; `rows` are those of the effect in `summary`."""
    words = look.words
    known = sorted((row for row in rows if row.estimate is not None), key=lambda row: (row.estimate or 0, row.rules))
    left = 44.0 if look.narrow else 60.0
    across = Scale(-0.5, len(known) - 0.5, left, look.width - 6)
    ends = [end for row in known for end in (row.estimate, row.ci_low, row.ci_high) if end is not None]
    up = _vertical([0.0, *ends])
    marks: list[Element] = []
    for value in up.ticks(5):
        zero = abs(value) < 1e-12
        marks.append(line(left, up(value), look.width - 6, up(value), colour=INK if zero else GRID))
        shown = words.signed(value, 1 if up.high - up.low >= 1 else 2)
        marks.append(label(shown, left - 6, up(value) + 4, anchor="end", colour=FAINT, size=11))
    for ink, held in ((SAME, True), (OTHER, False)):
        places = [i for i, row in enumerate(known) if (row.verdict == summary.plan_verdict) is held]
        marks += _cells([(across(i), known[i]) for i in places], up, ink)
    marks += _plan(known, summary, across, up, look)
    y = BOTTOM + 12
    for rule in (*VARIED, BOTH_NEWER):
        applied = [across(i) for i, row in enumerate(known) if _applies(row, rule)]
        marks.append(label(rule, left - 6, y + 4, anchor="end", colour=FAINT, size=10))
        marks.append(line(left, y, look.width - 6, y, colour=GRID))
        strokes = " ".join(f"M {x:.1f} {y - 4:.1f} v 8" for x in applied)
        marks += [tag("path", d=strokes, stroke=INK, stroke_width=1.2)] if applied else []
        y += RULE
    items = [
        (words("multiverse.same"), mark(0, 0, 0, ink=SAME)),
        (words("multiverse.other"), mark(0, 0, 0, ink=OTHER)),
        (words("multiverse.plan"), mark(3, 0, 0, ink=INK)),
    ]
    drawn, height = legend([("", items)], look)
    marks.append(tag("g", drawn, transform=f"translate(0,{y:.2f})"))
    place = words("all_networks") if summary.network == POOLED else summary.network
    return make(
        f"multiverse-{summary.hypothesis}-{summary.network}",
        words("multiverse.title", hypothesis=summary.hypothesis, network=place),
        Body(marks, y + height + 2),
        look,
        alternative=_said(summary, look),
        how_to_read=words("multiverse.how"),
        table=_table(rows, summary, look),
    )


def _table(rows: Sequence[MultiverseRow], summary: MultiverseSummaryRow, look: Look) -> FigureTable:
    """A row per combination; that of the study's rules is marked, and added at the end if it is not among them."""
    words, plan_rules = look.words, set(summary.plan_rules.split()) - {NO_RULE}

    def verdict(key: str | None) -> Cell:
        return None if key is None else words(f"verdict.{key}")

    cells = [(_rules(row), row) for row in rows]
    table_rows: list[list[Cell]] = [
        [" ".join(rules) or "–", words("yes" if set(rules) == plan_rules else "no"), row.sessions, row.estimate,
         row.ci_low, row.ci_high, verdict(row.verdict)]
        for rules, row in cells
    ]  # fmt: skip
    if all(set(rules) != plan_rules for rules, _ in cells):
        known: list[Cell] = [summary.plan_rules, words("yes"), None, summary.plan_estimate, None, None]
        table_rows.append([*known, verdict(summary.plan_verdict)])
    digits = dict.fromkeys(("estimate", "ci_low", "ci_high"), 3)
    return FigureTable(declared(MultiverseRow, NAMES, look, digits, plan=words("multiverse.plan")), table_rows)


def _vertical(ends: Sequence[float]) -> Scale:
    room = (max(ends) - min(ends)) * 0.05 or 0.1
    return Scale(min(ends) - room, max(ends) + room, BOTTOM, TOP)


def _cells(cells: Sequence[tuple[float, MultiverseRow]], up: Scale, ink: str) -> list[Element]:
    """Intervals and estimates as two paths: a mark per combination would make hundreds of elements."""
    bars = [
        f"M {x:.1f} {up(row.ci_low):.1f} V {up(row.ci_high):.1f}"
        for x, row in cells
        if row.ci_low is not None and row.ci_high is not None
    ]
    dots = [f"M {x - 1.5:.1f} {up(row.estimate):.1f} h 3" for x, row in cells if row.estimate is not None]
    marks = [tag("path", d=" ".join(bars), stroke=ink, stroke_width=1, stroke_opacity=0.35)] if bars else []
    return marks + ([tag("path", d=" ".join(dots), stroke=ink, stroke_width=3)] if dots else [])


def _plan(
    known: Sequence[MultiverseRow], summary: MultiverseSummaryRow, across: Scale, up: Scale, look: Look
) -> list[Element]:
    """Draws a diamond at the estimate with the study's rules, among the others."""
    if summary.plan_estimate is None:
        return []
    below = sum((row.estimate or 0) < summary.plan_estimate - 1e-12 for row in known)
    equal = sum(abs((row.estimate or 0) - summary.plan_estimate) <= 1e-12 for row in known)
    x, y = across(below + max(equal - 1, 0) / 2), up(summary.plan_estimate)
    dashed = tag("path", d=f"M {across.start:.1f} {y:.1f} H {across.end:.1f}", stroke=INK, stroke_dasharray="4 3")
    return [dashed, named(mark(3, x, y, ink=INK, size=5.5), _said(summary, look))]


def _applies(row: MultiverseRow, rule: str) -> bool:
    return row.newer == "yes" if rule == BOTH_NEWER else rule in row.rules.split()


def _rules(row: MultiverseRow) -> list[str]:
    return [*(rule for rule in row.rules.split() if rule in VARIED), *(NEWER if row.newer == "yes" else ())]


def _said(summary: MultiverseSummaryRow, look: Look) -> str:
    show = look.words.signed
    return look.words(
        "multiverse.said",
        cells=summary.cells,
        sets=summary.session_sets,
        low=show(summary.least_estimate, 2),
        high=show(summary.greatest_estimate, 2),
        plan=show(summary.plan_estimate, 2),
        same="–" if summary.same_verdict is None else summary.same_verdict,
    )
