"""Bar chart of the share of votes by score."""

from collections.abc import Sequence

from eyelevel.analyse.results.distribution import ScoreRow
from eyelevel.report.words import share
from eyelevel_figures.canvas import Drawing, Scale, label, line, plain_figure
from eyelevel_figures.elements import tag
from eyelevel_figures.palette import FAINT, INK, colour

WIDTH, LEFT, TOP, BOTTOM = 460.0, 8.0, 30.0, 200.0
# bars that leave room for their shares
LABELLED = 10


def score_figure(rows: Sequence[ScoreRow], name: str) -> Drawing:
    """Draws one bar per score or range of scores, with its share if there is room."""
    highest = max([row.share for row in rows], default=1.0) or 1.0
    up = Scale(0, highest, BOTTOM, TOP)
    step = (WIDTH - 2 * LEFT) / max(len(rows), 1)
    marks = []
    for place, row in enumerate(rows):
        x = LEFT + step * place
        bar = tag("rect", x=x + step * 0.08, y=up(row.share), width=step * 0.84, height=BOTTOM - up(row.share))
        bar.set("fill", colour(0))
        bar.append(tag("title", f"{_range(row)}: {row.votes:,} votes, {share(row.share)}"))
        marks.append(bar)
        if len(rows) <= LABELLED:
            marks.append(label(share(row.share), x + step / 2, up(row.share) - 5, anchor="middle", size=11))
        if len(rows) <= LABELLED or place % 5 == 0:
            marks.append(label(plain_figure(row.score_low), x + step / 2, BOTTOM + 16, anchor="middle", colour=FAINT))
    marks.append(line(LEFT, BOTTOM, WIDTH - LEFT, BOTTOM, colour=INK))
    words = "score" if all(row.score_low == row.score_high for row in rows) else "score (lower end of each range)"
    marks.append(label(words, WIDTH / 2, BOTTOM + 34, anchor="middle", colour=FAINT))
    said = "; ".join(f"{_range(row)}: {share(row.share)}" for row in rows)
    return Drawing(name, "Share of votes by score", f"{said}.", WIDTH, BOTTOM + 42, marks)


def _range(row: ScoreRow) -> str:
    if row.score_low == row.score_high:
        return plain_figure(row.score_low)
    return f"{plain_figure(row.score_low)} to {plain_figure(row.score_high)}"
