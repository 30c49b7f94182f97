"""Bar chart: average gains per metric."""

from collections.abc import Mapping
from xml.etree.ElementTree import Element

from eyelevel.report.words import percent
from eyelevel_core.model.metrics import LABELS, MAIN
from eyelevel_figures.canvas import Drawing, Scale, around, gain_axis, label
from eyelevel_figures.elements import tag
from eyelevel_figures.palette import FAINT, colour

WIDTH, LEFT, RIGHT, BAR = 460.0, 56.0, 430.0, 11.0


def average_bars(network: str, gains: Mapping[str, Mapping[str, float]], name: str) -> Drawing:
    """Draws average gains; `gains` by pair, then metric, are means over sites of the gains of means."""
    scale = Scale(
        *around([gain for by_metric in gains.values() for gain in by_metric.values()], least=0.05), LEFT, RIGHT
    )
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
        f"{pair}: " + ", ".join(f"{LABELS[metric]} {percent(gain)}" for metric, gain in by_metric.items()) + "."
        for pair, by_metric in gains.items()
    ]
    height = y + 26 + 17 * len(pairs)
    return Drawing(name, f"Average gain over all sites on {network}", " ".join(words), WIDTH, height, marks)


def _bar(place: int, words: str, scale: Scale, gain: float, y: float) -> Element:
    left, right = sorted((scale(0), scale(gain)))
    bar = tag("rect", x=left, y=y + 1, width=max(right - left, 0.8), height=BAR - 2, fill=colour(place))
    bar.append(tag("title", words))
    return bar
