"""Empirical distributions over recordings, a panel per list. Pure.

Objects per page as figure 1 of Nepomuceno et al. (2018); size and addresses as figure 1 of Wolsing et al. (2019).
"""

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from statistics import median
from xml.etree.ElementTree import Element

from eyelevel.profile.rows import RecordingRow
from eyelevel.report.site_bars import site_bars
from eyelevel.report.steps import step_path
from eyelevel.report.words import plural
from eyelevel_figures.canvas import Drawing, Scale, horizontal_axis, label, line, nice_step, short
from eyelevel_figures.elements import number, tag
from eyelevel_figures.palette import FAINT, GRID, colour, dash

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 350.0, 240.0, 44.0, 330.0, 30.0, 190.0
COLUMNS = 2
# more bars would be illegible
MOST_BARS = 100
LEGEND_ROW = 16
# how the addresses of recordings were determined, in the order of their colours; longer words do not fit in a panel
BY = {
    "recorded": "recorded addresses",
    "recorded, else by host": "recorded, else one per host",
    "by host": "one address per host",
}

Curves = Mapping[str, Sequence[float]]


def figures(rows: Sequence[RecordingRow]) -> list[Drawing]:
    """Returns the figures; bars of single recordings only for up to MOST_BARS."""
    panels = {panel: [row for row in rows if row.panel == panel] for panel in dict.fromkeys(row.panel for row in rows)}
    drawn = [
        _figure(
            "objects", "Objects per page", "objects", {p: _all(of_panel, _objects) for p, of_panel in panels.items()}
        ),
        _figure(
            "size", "Download size", "downloaded, kB", {p: _all(of_panel, _kilobytes) for p, of_panel in panels.items()}
        ),
        _figure(
            "addresses", "Server addresses", "addresses", {p: _by_servers(of_panel) for p, of_panel in panels.items()}
        ),
    ]
    return [*drawn, site_bars(rows, "sites")] if len(rows) <= MOST_BARS else drawn


def _objects(row: RecordingRow) -> float:
    return row.objects


def _kilobytes(row: RecordingRow) -> float:
    return row.body_bytes / 1000


def _all(rows: Sequence[RecordingRow], value: Callable[[RecordingRow], float]) -> Curves:
    return {"": [value(row) for row in rows]}


def _by_servers(rows: Sequence[RecordingRow]) -> Curves:
    """Counts by how the addresses were determined: recorded, or one per host."""
    return {by: counts for by in BY if (counts := [float(row.servers) for row in rows if row.servers_by == by])}


def _figure(name: str, title: str, words: str, panels: Mapping[str, Curves]) -> Drawing:
    values = [value for curves in panels.values() for curve in curves.values() for value in curve]
    step = nice_step(max([*values, 1.0]) / 5)
    high = ceil(max([*values, 1.0]) / step) * step
    height = HEIGHT + LEGEND_ROW * max(sum(map(bool, curves)) for curves in panels.values())
    marks: list[Element] = []
    for place, (panel, curves) in enumerate(panels.items()):
        x, y = WIDTH * (place % COLUMNS), height * (place // COLUMNS)
        marks.append(tag("g", _panel(panel, curves, high, words), transform=f"translate({number(x)} {number(y)})"))
    described = [
        f"{panel}{by and ', ' + BY[by]}: {plural(len(curve), 'recording')}, median {median(curve):,.4g}."
        for panel, curves in panels.items()
        for by, curve in curves.items()
    ]
    return Drawing(
        name,
        f"{title}: share of recordings up to each value",
        " ".join(described),
        WIDTH * min(COLUMNS, len(panels)),
        height * ceil(len(panels) / COLUMNS),
        marks,
    )


def _panel(panel: str, curves: Curves, high: float, words: str) -> list[Element]:
    scale, share = Scale(0, high, LEFT, RIGHT), Scale(0, 1, BOTTOM, TOP)
    count = sum(len(curve) for curve in curves.values())
    marks = [label(f"{short(panel, 30)} (n = {count})", 4, 16, bold=True, size=13)]
    marks += horizontal_axis(scale, TOP, BOTTOM, words)
    for tick in (0.0, 0.5, 1.0):
        marks.append(line(LEFT, share(tick), RIGHT, share(tick), colour=GRID))
        marks.append(label(f"{100 * tick:.0f} %", LEFT - 4, share(tick) + 4, anchor="end", colour=FAINT, size=11))
    for place, (by, curve) in enumerate(curves.items()):
        kind = list(BY).index(by) if by else 0
        marks.append(_stroke(kind, step_path(curve, scale, share)))
        if by:
            x, y = LEFT, BOTTOM + 50 + LEGEND_ROW * place
            marks.append(_stroke(kind, f"M {number(x)} {number(y)} h 20"))
            marks.append(label(f"{BY[by]} (n = {len(curve)})", x + 25, y + 4, size=11))
    return marks


def _stroke(kind: int, path: str) -> Element:
    return tag("path", d=path, fill="none", stroke=colour(kind), stroke_width=2, stroke_dasharray=dash(kind))
