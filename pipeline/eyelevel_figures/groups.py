"""Groups of participants side by side: the MOS of each group on each network and stack."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from xml.etree.ElementTree import Element

from eyelevel_figures.canvas import Scale, horizontal_axis, label, short
from eyelevel_figures.elements import tag
from eyelevel_figures.ends import ENDS
from eyelevel_figures.figure import Body, Figure, FigureTable, Look, declared, make, rows_of
from eyelevel_figures.marks import Axis, interval, legend, named
from eyelevel_figures.palette import colour, mark
from eyelevel_figures.text import paragraph, wrapped
from eyelevel_stats.rows.answers import GroupMosRow, GroupOffsetRow

LINE, GAP = 17.0, 9.0
NAMES = ("group", "network", "stack", "n", "votes", "mos", "ci_low", "ci_high", "sd")


def draw(
    rows: Sequence[GroupMosRow], offsets: Sequence[GroupOffsetRow], look: Look, *, names: Mapping[str, str]
) -> Figure:
    """Draws the groups; `names` has the study's name of each group, by its key."""
    words = look.words
    per_network = [row for row in rows if row.network is not None]
    per_network.sort(key=lambda row: (row.network or "", row.stack or "", row.group))
    groups = sorted({row.group for row in per_network})
    left = 130.0 if look.narrow else 200.0
    scale = Scale(*ENDS, left, look.width - 14)
    across = Axis(scale, ENDS)
    drawn: list[Element] = []
    y = 6.0
    for (network, stack), lines in groupby(per_network, key=lambda row: (row.network, row.stack)):
        held = list(lines)
        drawn.append(label(short(f"{network}, {stack}", 18 if look.narrow else 28), 0, y + LINE * len(held) / 2 + 4))
        for row in held:
            place = groups.index(row.group)
            middle = y + LINE / 2
            drawn += interval(across, row.ci_low, row.ci_high, middle, ink=colour(place))
            drawn.append(named(mark(place, scale(row.mos), middle), _said(row, look, names)))
            y += LINE
        y += GAP
    axis = horizontal_axis(scale, 2, y, words("mos.axis_short"), words.plain, about=6)
    shown, height = legend([("", [(names.get(key, key), mark(i, 0, 0)) for i, key in enumerate(groups)])], look)
    drawn.append(tag("g", shown, transform=f"translate(0,{y + 42:.2f})"))
    y += 42 + height
    said = [_offset(row, look, names) for row in offsets if row.offset is not None]
    for sentence in said:
        lines_of, y = paragraph(wrapped(sentence, look.width), 0, y + 14)
        drawn += lines_of
        y -= 8
    return make(
        "groups",
        words("groups.title"),
        Body([*axis, *drawn], y + 8),
        look,
        alternative=" ".join([*said, *(f"{_said(row, look, names)}." for row in rows if row.network is None)]),
        how_to_read=words("groups.how"),
        table=FigureTable(
            declared(GroupMosRow, NAMES, look, dict.fromkeys(NAMES[-4:], 2)),
            rows_of(per_network, NAMES),
        ),
        notes=[words("cut.scale")] * any(across.is_cut(row.ci_low, row.ci_high) for row in per_network)
        + [words("mos.alone")] * any(row.ci_low is None for row in per_network),
    )


def _said(row: GroupMosRow, look: Look, names: Mapping[str, str]) -> str:
    where = ", ".join(part for part in (names.get(row.group, row.group), row.network, row.stack) if part)
    return f"{where}: {look.words.decimal(row.mos)} {look.words.interval(row.ci_low, row.ci_high)}, n = {row.n}"


def _offset(row: GroupOffsetRow, look: Look, names: Mapping[str, str]) -> str:
    return look.words(
        "groups.offset",
        first=names.get(row.first_group, row.first_group),
        second=names.get(row.second_group, row.second_group),
        offset=look.words.signed(row.offset, 2),
        interval=look.words.interval(row.ci_low, row.ci_high),
        clips=row.clips,
        r=look.words.decimal(row.pearson),
    )
