"""Distributions of scores: of all votes together, and of each stack on each network."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from xml.etree.ElementTree import Element

from eyelevel_figures.canvas import Scale, label, line
from eyelevel_figures.elements import tag
from eyelevel_figures.encoding import Encoding
from eyelevel_figures.ends import HIGH, LOW
from eyelevel_figures.figure import Body, Figure, FigureTable, Look, declared, make, rows_of
from eyelevel_figures.marks import named
from eyelevel_figures.palette import FAINT, INK, colour
from eyelevel_stats.rows.answers import END_SHARE, ScoreRow

NAMES = ("network", "stack", "score", "count", "votes", "share")
DIGITS = {"share": 3}
PANEL, PANEL_HEIGHT, LEAST_PANEL = 64.0, 96.0, 132.0


def draw_all(counts: Mapping[int, int], look: Look) -> Figure:
    """Draws the distribution of all scores, over all sites, networks and stacks, so that nothing is shown by arm."""
    words, votes = look.words, sum(counts.values())
    shares = {score: counts.get(score, 0) / votes for score in range(int(LOW), int(HIGH) + 1)}
    crowded = [score for score in (min(shares), max(shares)) if shares[score] > END_SHARE]
    width = min(look.width, 460.0)
    marks = _bars(list(shares.items()), (0, 20, width, 150), look, ink=colour(0), labelled=True)
    marks.append(label(words("scores.axis"), width / 2, 188, anchor="middle", colour=FAINT))
    return make(
        "scores",
        words("scores.title", n=words.decimal(votes, 0)),
        Body(marks, 192),
        look,
        alternative="; ".join(f"{score}: {words.percent(share)}" for score, share in shares.items()) + ".",
        how_to_read=words("scores.how"),
        table=FigureTable(
            declared(ScoreRow, ("score", "count", "share"), look, DIGITS),
            [[score, counts.get(score, 0), share] for score, share in shares.items()],
        ),
        notes=[words("scores.end", score=score, share=words.percent(shares[score])) for score in crowded],
    )


def draw_each(rows: Sequence[ScoreRow], look: Look, *, encoding: Encoding) -> Figure:
    """Draws a small panel per network and stack, over all sites and contexts; a line of panels per network."""
    words = look.words
    over_sites = sorted((row for row in rows if row.site is None), key=lambda row: (row.network, row.stack, row.score))
    columns = max(1, min(len(encoding.stacks), int(look.width // LEAST_PANEL)))
    room = look.width / columns
    width = min(room - 16, 170.0)
    most = max(row.share for row in over_sites)
    marks: list[Element] = []
    y = 0.0
    for network, of_network in groupby(over_sites, key=lambda row: row.network):
        marks.append(label(network, 0, y + 14, bold=True))
        y += 20
        panels = [list(panel) for _, panel in groupby(of_network, key=lambda row: row.stack)]
        for place, panel in enumerate(panels):
            x, top = (place % columns) * room, y + (place // columns) * PANEL_HEIGHT
            marks.append(label(f"{panel[0].stack}, n = {panel[0].votes}", x, top + 12, size=11))
            shares = [(row.score, row.share) for row in panel]
            ink = colour(encoding.network(network))
            marks += _bars(shares, (x, top + 18, width, PANEL), look, ink=ink, most=most)
        y += -(-len(panels) // columns) * PANEL_HEIGHT + 6
    ends = [
        row for row in over_sites if row.score in (over_sites[0].score, over_sites[-1].score) and row.share > END_SHARE
    ]
    panels_crowded = len({(row.network, row.stack) for row in ends})
    return make(
        "score-distributions",
        words("scores.each_title"),
        Body(marks, y),
        look,
        alternative=words("scores.each_said", stacks=", ".join(encoding.stacks), networks=", ".join(encoding.networks)),
        how_to_read=words("scores.each_how"),
        table=FigureTable(
            declared(ScoreRow, NAMES, look, DIGITS),
            rows_of(over_sites, NAMES),
        ),
        notes=[words("scores.crowded", n=panels_crowded)] if panels_crowded else [],
    )


def _bars(
    shares: Sequence[tuple[int, float]],
    box: tuple[float, float, float, float],
    look: Look,
    *,
    ink: str,
    most: float | None = None,
    labelled: bool = False,
) -> list[Element]:
    """A bar per score within x, y, width and height; bars at an end with over a quarter of the votes are marked."""
    x, y, width, height = box
    up = Scale(0, most or max(share for _, share in shares), y + height - 14, y)
    step = width / len(shares)
    ends = (shares[0][0], shares[-1][0])
    marks: list[Element] = []
    for place, (score, share) in enumerate(shares):
        fill = INK if score in ends and share > END_SHARE else ink
        bar = tag("rect", x=x + step * (place + 0.08), y=up(share), width=step * 0.84, height=up.start - up(share))
        bar.set("fill", fill)
        marks.append(named(bar, f"{score}: {look.words.percent(share)}"))
        middle = x + step * (place + 0.5)
        if labelled:
            marks.append(label(look.words.percent(share), middle, up(share) - 5, anchor="middle", size=11))
        marks.append(label(str(score), middle, y + height, anchor="middle", colour=FAINT, size=11 if labelled else 10))
    marks.append(line(x, up.start, x + width, up.start, colour=INK))
    return marks
