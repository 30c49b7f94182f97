"""Bar chart: size and number of server addresses per site, as in figure 1 of 2019."""

from collections.abc import Sequence
from typing import Protocol

from eyelevel.report.words import count, kilobytes
from eyelevel_figures.canvas import Drawing, Scale, label, line
from eyelevel_figures.elements import tag
from eyelevel_figures.palette import FAINT, GRID, colour


class SiteSize(Protocol):
    """The download size of a site, and its number of server addresses; None means unknown."""

    @property
    def site(self) -> str: ...

    @property
    def body_bytes(self) -> float | None: ...

    @property
    def servers(self) -> int | None: ...


def site_bars(rows: Sequence[SiteSize], name: str) -> Drawing:
    """Draws download sizes to the left, and numbers of server addresses to the right; the largest site first."""
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
