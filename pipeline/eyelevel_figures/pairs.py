"""Shares of answers about a pair of stacks on one network: for the one, no difference, for the other."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from eyelevel_figures.canvas import Scale, horizontal_axis, label, line, short
from eyelevel_figures.elements import tag
from eyelevel_figures.figure import Body, Figure, FigureTable, Look, declared, make, rows_of
from eyelevel_figures.marks import of_condition
from eyelevel_figures.palette import FAINT, INK
from eyelevel_stats.rows.study import ComparisonRow

BAR = 18.0
FIRST, NONE, SECOND = "#0b5c94", "#d5d9de", "#b8460b"
NAMES = (
    "site", "network", "stack_a", "stack_b", "context", "n", "prefer_a", "no_difference", "prefer_b", "share_a",
    "ci_low", "ci_high",
)  # fmt: skip


def draw(rows: Sequence[ComparisonRow], look: Look) -> Figure:
    """Draws rows about one pair on one network; the interval is that of the first stack's share of all answers."""
    words = look.words
    ordered = sorted(rows, key=lambda row: (row.site, row.context))
    first, second, network = ordered[0].stack_a, ordered[0].stack_b, ordered[0].network
    contexts = len({row.context for row in ordered}) > 1
    left, lift = (12.0, 18.0) if look.narrow else (180.0, 0.0)
    step = BAR + lift + 12
    scale = Scale(0, 1, left, look.width - 56)
    middle = look.words("pairs.none")
    marks = [
        label(first, left, 14, colour=FIRST, bold=True),
        label(middle, (scale.start + scale.end) / 2, 14, anchor="middle", colour=FAINT),
        label(second, scale.end, 14, anchor="end", colour=SECOND, bold=True),
    ]
    y = 22.0
    for row in ordered:
        name = f"{row.site}, {row.context}" if contexts else row.site
        place = y + lift + BAR / 2
        marks.append(label(short(name, 40 if look.narrow else 24), 0, place - lift + 4))
        marks += _bar(row, place, scale, look)
        marks.append(label(f"n={row.n}", look.width, place + 4, anchor="end", colour=FAINT, size=11))
        y += step
    axis = horizontal_axis(scale, 20, y, words("pairs.axis"), words.percent, ticks=(0, 0.25, 0.5, 0.75, 1))
    return make(
        f"pairs-{network}-{first}-{second}",
        words("pairs.title", first=first, second=second, network=network),
        Body([*axis, *marks], y + 36),
        look,
        alternative=" ".join(_said(row, look) for row in ordered),
        how_to_read=words("pairs.how", first=first, second=second),
        table=FigureTable(
            declared(ComparisonRow, NAMES, look, dict.fromkeys(NAMES[-3:], 2)),
            rows_of(ordered, NAMES),
        ),
        opens=True,
    )


def _bar(row: ComparisonRow, y: float, scale: Scale, look: Look) -> list[Element]:
    """Three segments, and over them the interval of the first one's end."""
    parts: list[Element] = []
    begin = 0.0
    for count, fill in ((row.prefer_a, FIRST), (row.no_difference, NONE), (row.prefer_b, SECOND)):
        end = begin + count / row.n if row.n else begin
        width = scale(end) - scale(begin)
        parts.append(tag("rect", x=scale(begin), y=y - BAR / 2, width=width, height=BAR, fill=fill))
        begin = end
    for width, ink in ((4.0, "#ffffff"), (1.8, INK)):
        parts.append(line(scale(row.ci_low), y, scale(row.ci_high), y, colour=ink, width=width))
        parts += [line(scale(end), y - 5, scale(end), y + 5, colour=ink, width=width) for end in
                  (row.ci_low, row.ci_high)]  # fmt: skip
    return [of_condition(parts, _said(row, look), row, [row.stack_a, row.stack_b], look)]


def _said(row: ComparisonRow, look: Look) -> str:
    show = look.words.percent
    return look.words(
        "pairs.said",
        site=f"{row.site}, {row.context}",
        first=row.stack_a,
        second=row.stack_b,
        a=show(row.share_a),
        interval=f"[{show(row.ci_low)}, {show(row.ci_high)}]",
        none=show(row.no_difference / row.n if row.n else 0),
        b=show(row.prefer_b / row.n if row.n else 0),
        n=row.n,
    )
