"""Bar charts: average gains per metric, and size and servers per site."""

from collections.abc import Mapping, Sequence
from xml.etree.ElementTree import Element

from eyelevel.compare.sites import SiteRow
from eyelevel.report.words import count, kilobytes, percent
from eyelevel_core.model.metrics import LABELS, MAIN
from eyelevel_figures.canvas import Drawing, Scale, around, gain_axis, label, line
from eyelevel_figures.elements import tag
from eyelevel_figures.palette import FAINT, GRID, colour

WIDTH, LEFT, RIGHT, BAR = 460.0, 56.0, 430.0, 11.0


def average_bars(network: str, gains: Mapping[str, Mapping[str, float]], name: str) -> Drawing:
    """`gains` by pair, then metric: the mean over sites of the gains of means."""
    scale = Scale(*around([gain for own in gains.values() for gain in own.values()], least=0.05), LEFT, RIGHT)
    pairs = list(gains)
    y = 40.0
    drawn: list[Element] = []
    for metric in MAIN:
        drawn.append(label(LABELS[metric], LEFT - 8, y + BAR * len(pairs) / 2 + 4, anchor="end", colour=FAINT))
        for place, pair in enumerate(pairs):
            if (gain := gains[pair].get(metric)) is not None:
                drawn.append(_bar(place, f"{pair}, {LABELS[metric]}: {percent(gain)}", scale, gain, y))
            y += BAR
        y += 10
    marks = [label(network, 4, 20, bold=True, size=15), *gain_axis(scale, 34, y - 4), *drawn]
    for place, pair in enumerate(pairs):
        marks.append(tag("rect", x=LEFT, y=y + 22 + 17 * place, width=11, height=11, fill=colour(place)))
        marks.append(label(pair, LEFT + 17, y + 32 + 17 * place))
    words = [
        f"{pair}: " + ", ".join(f"{LABELS[metric]} {percent(gain)}" for metric, gain in own.items()) + "."
        for pair, own in gains.items()
    ]
    height = y + 26 + 17 * len(pairs)
    return Drawing(name, f"Average gain over all sites on {network}", " ".join(words), WIDTH, height, marks)


def _bar(place: int, words: str, scale: Scale, gain: float, y: float) -> Element:
    left, right = sorted((scale(0), scale(gain)))
    bar = tag("rect", x=left, y=y + 1, width=max(right - left, 0.8), height=BAR - 2, fill=colour(place))
    bar.append(tag("title", words))
    return bar


def site_bars(rows: Sequence[SiteRow], name: str) -> Drawing:
    """Download size to the left, number of server addresses to the right; the largest site first."""
    ordered = sorted(rows, key=lambda row: (-(row.body_bytes or 0), row.site))
    size = Scale(0, max((row.body_bytes or 0 for row in rows), default=0) or 1, 130, 380)
    servers = Scale(0, max((row.servers or 0 for row in rows), default=0) or 1, 470, 660)
    marks = [label("downloaded, kB", 130, 16, colour=FAINT), label("server addresses", 470, 16, colour=FAINT)]
    for place, row in enumerate(ordered):
        y = 28.0 + 20 * place
        marks.append(label(row.site, 122, y + 11, anchor="end"))
        for scale, value, words, shade in (
            (size, row.body_bytes, kilobytes(row.body_bytes), 0),
            (servers, row.servers, count(row.servers), 1),
        ):
            width = scale(value or 0) - scale.start
            marks.append(tag("rect", x=scale.start, y=y, width=width, height=14, fill=colour(shade)))
            marks.append(label(words, scale.start + width + 6, y + 11, size=11))
    height = 32.0 + 20 * len(ordered)
    marks.append(line(130, 24, 130, height - 4, colour=GRID))
    marks.append(line(470, 24, 470, height - 4, colour=GRID))
    words = ". ".join(f"{row.site}: {kilobytes(row.body_bytes)} kB, {count(row.servers)} servers" for row in ordered)
    return Drawing(name, "Download size and number of server addresses per site", f"{words}.", 700, height, marks)
