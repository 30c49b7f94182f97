"""Mean opinion scores of one network: a line per site and stack, the mean with its interval on the whole scale."""

from collections.abc import Sequence
from itertools import groupby
from xml.etree.ElementTree import Element

from eyelevel_figures.canvas import Scale, horizontal_axis, label, short
from eyelevel_figures.encoding import Encoding
from eyelevel_figures.ends import ENDS, end_notes
from eyelevel_figures.figure import Body, Figure, FigureColumn, FigureTable, Look, declared, make, rows_of
from eyelevel_figures.marks import Axis, interval, of_condition
from eyelevel_figures.palette import FAINT, colour, mark
from eyelevel_stats.rows.answers import ShareRow
from eyelevel_stats.rows.study import MosRow

LINE, GAP = 20.0, 10.0
NAMES = ("site", "network", "stack", "context", "n", "mos", "ci_low", "ci_high", "sd")


def draw(
    rows: Sequence[MosRow], network: str, look: Look, *, encoding: Encoding, shares: Sequence[ShareRow] = ()
) -> Figure:
    """Draws the conditions of the network, by site and context; `shares` are those of all conditions."""
    words = look.words
    of_network = sorted(
        (row for row in rows if row.network == network), key=lambda row: (row.site, row.context, row.stack)
    )
    contexts = len({row.context for row in of_network}) > 1
    left, right = (92.0, look.width - 44) if look.narrow else (250.0, look.width - 60)
    scale = Scale(*ENDS, left, right)
    across = Axis(scale, ENDS)
    ink = colour(encoding.network(network))
    drawn: list[Element] = []
    y = 4.0
    for (site, context), group in groupby(of_network, key=lambda row: (row.site, row.context)):
        head = f"{site}, {context}" if contexts else site
        drawn.append(label(short(head, 44 if look.narrow else 24), 0, y + 14, bold=True))
        y += LINE if look.narrow else 0
        for row in group:
            drawn += _line(row, y + LINE / 2, across, look, ink=ink, shape=encoding.stack(row.stack))
            y += LINE
        y += GAP
    whole = words("mos.axis_short" if look.narrow else "mos.axis")
    axis = horizontal_axis(scale, 2, y, whole, words.plain, about=6)
    ends = [
        label(words("scale.1"), left, y + 48, anchor="middle", colour=FAINT, size=11),
        label(words("scale.7"), right, y + 48, anchor="middle", colour=FAINT, size=11),
    ]
    cut = any(across.is_cut(row.ci_low, row.ci_high) for row in of_network)
    few = any(row.ci_low is None for row in of_network)
    return make(
        f"mos-{network}",
        words("mos.title", network=network),
        Body([*axis, *drawn, *ends], y + 54),
        look,
        alternative=_said(of_network, look),
        how_to_read=words("mos.how"),
        table=FigureTable(columns(look), rows_of(of_network, NAMES)),
        notes=[*end_notes(of_network, shares, words), *[words("cut.scale")] * cut, *[words("mos.alone")] * few],
        opens=True,
    )


def columns(look: Look) -> list[FigureColumn]:
    digits = dict.fromkeys(("mos", "ci_low", "ci_high", "sd"), 2)
    return declared(MosRow, NAMES, look, digits)


def said(row: MosRow, look: Look) -> str:
    """Returns the tooltip of a condition."""
    where = f"{row.site}, {row.network}, {row.stack}, {row.context}"
    return f"{where}: {look.words.decimal(row.mos)} {look.words.interval(row.ci_low, row.ci_high)}, n = {row.n}"


def _line(row: MosRow, y: float, across: Axis, look: Look, *, ink: str, shape: int) -> list[Element]:
    marks = [label(row.stack, across.scale.start - 10, y + 4, anchor="end")]
    drawn = [
        *interval(across, row.ci_low, row.ci_high, y, ink=ink),
        mark(shape, across.scale(row.mos), y, ink=ink),
    ]
    marks.append(of_condition(drawn, said(row, look), row, [row.stack], look))
    marks.append(label(f"n={row.n}", look.width, y + 4, anchor="end", colour=FAINT, size=11))
    return marks


def _said(rows: Sequence[MosRow], look: Look) -> str:
    low, high = min(rows, key=lambda row: row.mos), max(rows, key=lambda row: row.mos)
    return look.words("mos.said", n=len(rows), low=said(low, look), high=said(high, look))
