"""Funnel of sessions: the number that remains after each rule of conformance, in the order of the rules."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from eyelevel_figures.canvas import Scale, label
from eyelevel_figures.elements import tag
from eyelevel_figures.figure import Body, Figure, FigureColumn, FigureTable, Look, make
from eyelevel_figures.marks import named
from eyelevel_figures.palette import FAINT, INK, colour
from eyelevel_figures.text import width_of, wrapped
from eyelevel_stats.conformance.funnel import GroupFunnel, Step

BAR, LINE = 16.0, 15.0
# of the bars beside their words, so that bars of several groups begin at one place
LEAST_LEFT = 330.0
# an excluded session's bar, a used one's, and one counted beside them
FILLS = {"step": "#8fb4d1", "end": colour(0), "aside": "#b9bec6"}


@dataclass(frozen=True)
class Bar:
    """One step; `asked` is False for a rule that nobody can break in the study."""

    key: str
    label: str
    count: int
    kind: str = "step"
    asked: bool = True
    broken: int | None = None
    unknown: int | None = None


def draw(
    group: GroupFunnel,
    look: Look,
    *,
    name: str,
    asked: Collection[str],
    excludes: Mapping[str, bool],
    stall_ms: float | None = None,
) -> Figure:
    """Draws a funnel. `name` is the group's; `asked` has the rules that apply, `excludes` whether a rule excludes.

    `stall_ms` is the longest stall that R2 allows; without it the text of the rule has no limit.
    """
    words = look.words
    bars = bars_of(group, look, asked=asked, excludes=excludes, stall_ms=stall_ms)
    row, lift = (46.0, 20.0) if look.narrow else (26.0, 0.0)
    left = 0.0 if look.narrow else max(LEAST_LEFT, *(width_of(bar.label) + 10 for bar in bars))
    scale = Scale(0, max(1, *(bar.count for bar in bars)), left, look.width - 76)
    marks: list[Element] = []
    before, y = group.started, 0.0
    for bar in bars:
        strong = bar.kind != "step"
        ink = INK if bar.asked else FAINT
        # on a phone the text is above the bar, on several lines if it is long
        lines = wrapped(bar.label, look.width, bold=strong) if look.narrow else [bar.label]
        top = y + (row + lift) / 2 - lift + 4
        marks += [label(line, 0, top + LINE * n, bold=strong, colour=ink) for n, line in enumerate(lines)]
        middle = y + (row + lift) / 2 + LINE * (len(lines) - 1)
        y += row + LINE * (len(lines) - 1)
        if bar.asked:
            width = scale(bar.count) - left
            shape = tag("rect", x=left, y=middle - BAR / 2, width=width, height=BAR, fill=FILLS[bar.kind])
            marks.append(named(shape, f"{bar.label}: {bar.count}"))
        lost = before - bar.count if bar.kind == "step" else 0
        # sessions that wait for their verdict are excluded by no rule
        before = bar.count - (group.waiting if bar.key == "completed" else 0)
        shown = str(bar.count) if bar.asked else words("funnel.not_asked")
        shown += f" (−{lost})" if lost else ""
        marks.append(label(shown, scale(bar.count) + 8 if bar.asked else left, middle + 4, colour=FAINT))
    return make(
        f"screening-{group.group}",
        words("funnel.title", group=name),
        Body(marks, y),
        look,
        alternative="; ".join(f"{bar.label}: {bar.count}" for bar in bars if bar.asked) + ".",
        how_to_read=words("funnel.how"),
        table=FigureTable(
            [
                FigureColumn(key, words(f"column.{key}"), None)
                for key in ("step", "label", "count", "broken", "unknown", "asked")
            ],
            [
                [bar.key, bar.label, bar.count, bar.broken, bar.unknown, words("yes" if bar.asked else "no")]
                for bar in bars
            ],
        ),
        notes=_notes(group, look),
    )


def bars_of(
    group: GroupFunnel, look: Look, *, asked: Collection[str], excludes: Mapping[str, bool], stall_ms: float | None
) -> list[Bar]:
    """Returns the bars: sessions that began, those left after each rule, those used, then those that are paid."""

    def of(step: Step) -> Bar:
        rule = _rule(step.rule, look, stall_ms)
        if not excludes.get(step.rule, True):
            rule = f"{rule} ({look.words('funnel.excludes_nobody')})"
        is_asked = step.rule in asked or step.broken > 0
        return Bar(step.rule, rule, step.left, asked=is_asked, broken=step.broken, unknown=step.unknown)

    return [
        Bar("started", look.words("funnel.started"), group.started),
        Bar("completed", look.words("funnel.completed"), group.completed),
        *map(of, group.steps),
        Bar("used", look.words("funnel.used"), group.used, "end"),
        Bar("accepted", look.words("funnel.accepted"), group.accepted, "aside"),
    ]


def _rule(rule: str, look: Look, stall_ms: float | None) -> str:
    if rule == "R2" and stall_ms is not None:
        return look.words("rule.R2.over", seconds=look.words.plain(stall_ms / 1000))
    return look.words(f"rule.{rule}")


def _notes(group: GroupFunnel, look: Look) -> Sequence[str]:
    words = look.words
    notes = []
    if group.waiting:
        notes.append(words("funnel.waiting", n=group.waiting))
    if group.otherwise:
        reasons = "; ".join(f"{words.known(f'otherwise.{why}', why)}: {n}" for why, n in group.otherwise.items())
        notes.append(words("funnel.otherwise", reasons=reasons))
    if group.skipped:
        notes.append(words("funnel.skipped", n=group.skipped))
    return notes
