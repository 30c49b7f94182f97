"""How well each metric agrees with people, beside the most that the noise of the votes allows."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from eyelevel.report.words import decimal
from eyelevel_figures.canvas import Drawing, Scale, horizontal_axis, label, short
from eyelevel_figures.elements import tag
from eyelevel_figures.palette import FAINT, INK, colour, dash, mark
from eyelevel_stats.agreement.leaderboard import LeaderRow

WIDTH, ROW, TOP = 720.0, 22.0, 56.0
RAW, CENTRED = "over all stimuli", "within sites"


def leader_figure(rows: Sequence[LeaderRow], name: str, *, where: str = "") -> Drawing:
    """|Pearson| of each metric, raw and centred within sites; dashed lines are the noise ceilings."""
    known = [row for row in rows if row.pearson is not None]
    left = min(240.0, max([80.0, *(18 + 7 * len(short(row.metric, 30)) for row in known)]))
    scale = Scale(0, 1, left, WIDTH - 20)
    bottom = TOP + ROW * len(known) + 4
    marks = horizontal_axis(scale, TOP, bottom, "size of Pearson's correlation with MOS")
    for place, (words, ceilings) in enumerate(
        ((RAW, [row.ceiling for row in known]), (CENTRED, [row.ceiling_centred for row in known]))
    ):
        found = [one for one in ceilings if one is not None]
        if place == 0 or any(row.pearson_centred is not None for row in known):
            x = left + 4 + 250 * place
            marks += [mark(place, x, 18), label(f"{words}", x + 12, 22)]
        if found:
            x = scale(max(found))
            path = tag("path", d=f"M {x:.2f} {TOP - 6:.2f} V {bottom:.2f}", fill="none", stroke=colour(place))
            path.set("stroke-width", "1.8")
            path.set("stroke-dasharray", dash(place + 1) or "")
            path.append(tag("title", f"noise ceiling, {words}: {decimal(max(found))}"))
            marks.append(path)
            if place == 0:
                marks.append(label("noise ceiling", x - 5, TOP - 10, anchor="end", colour=FAINT, size=11))
    for place, row in enumerate(known):
        y = TOP + ROW * (place + 0.5)
        marks.append(label(short(row.metric, 30), left - 10, y + 4, anchor="end", colour=INK))
        marks += _points(row, scale, y)
    title = "Agreement of metrics with mean opinion scores" + (f", {where}" if where else "")
    words = " ".join(_words(row) for row in known) or "No correlation could be computed."
    return Drawing(name, title, words, WIDTH, bottom + 42, marks)


def _points(row: LeaderRow, scale: Scale, y: float) -> list[Element]:
    found = []
    for place, value in ((1, row.pearson_centred), (0, row.pearson)):
        if value is not None:
            point = mark(place, scale(abs(value)), y)
            point.append(tag("title", f"{row.metric}, {(RAW, CENTRED)[place]}: {decimal(value)}"))
            found.append(point)
    return found


def _words(row: LeaderRow) -> str:
    said = f"{row.metric}: {decimal(row.pearson)}"
    if row.pearson_centred is not None:
        said += f", within sites {decimal(row.pearson_centred)}"
    return f"{said}{'' if row.ceiling is None else f', noise ceiling {decimal(row.ceiling)}'}."
