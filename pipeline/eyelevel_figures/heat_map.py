"""Heat map of satisfaction: the MOS of each site, network and stack."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from eyelevel_figures.canvas import label, short
from eyelevel_figures.elements import tag
from eyelevel_figures.encoding import Encoding
from eyelevel_figures.ends import HIGH, LOW, at_ends, end_notes, place_of
from eyelevel_figures.figure import Body, Figure, FigureTable, Look, make, rows_of
from eyelevel_figures.marks import of_condition
from eyelevel_figures.mos import NAMES, columns, said
from eyelevel_figures.palette import FAINT, INK
from eyelevel_figures.text import width_of
from eyelevel_stats.rows.answers import ShareRow
from eyelevel_stats.rows.study import MosRow

CELL, LEAST_WIDTH, MOST_WIDTH = 34.0, 36.0, 90.0
# orange for bad, blue for ideal; both ends are dark, so that they differ from the middle in print as well
ENDS, MIDDLE = ((168, 62, 8), (9, 79, 128)), (246, 243, 236)


def draw(rows: Sequence[MosRow], look: Look, *, encoding: Encoding, shares: Sequence[ShareRow] = ()) -> Figure:
    """Draws networks side by side as far as there is room, the others below."""
    words = look.words
    contexts = len({row.context for row in rows}) > 1
    lines = sorted({(row.site, row.context) for row in rows})
    names = [short(f"{site}, {context}" if contexts else site, 24) for site, context in lines]
    left = min(max(map(width_of, names)) + 10, (0.4 if look.narrow else 0.34) * look.width)
    names = [short(name, int((left - 8) / width_of("x"))) for name in names]
    # a slanted name extends beyond the last cell
    room = look.width - left - (0.7 * max(map(width_of, encoding.stacks)) if look.narrow else 0)
    fit = int(room / (LEAST_WIDTH * len(encoding.stacks)))
    per_block = max(1, min(len(encoding.networks), fit))
    width = min(MOST_WIDTH, room / (per_block * len(encoding.stacks)))
    row_of = {place_of(row): row for row in rows}
    crowded = at_ends(shares)
    slanted = max(map(width_of, encoding.stacks)) > width - 4
    head = 22.0 + (max(map(width_of, encoding.stacks)) * 0.75 + 8 if slanted else 18.0)
    drawn: list[Element] = []
    y = 0.0
    for start in range(0, len(encoding.networks), per_block):
        block = encoding.networks[start : start + per_block]
        for at, network in enumerate(block):
            x = left + at * len(encoding.stacks) * width
            drawn.append(label(network, x + 2, y + 14, bold=True))
            drawn += [_stack(stack, x + width * (i + 0.5), y + head - 5, slanted)
                      for i, stack in enumerate(encoding.stacks)]  # fmt: skip
        for number, (site, context) in enumerate(lines):
            top = y + head + number * CELL
            drawn.append(label(names[number], 0, top + CELL / 2 + 4))
            for at, (network, stack) in enumerate((one, other) for one in block for other in encoding.stacks):
                place = (site, network, stack, context)
                box = (left + at * width, top, width)
                drawn += _cell(row_of.get(place), crowded.get(place), box, look)
        y += head + len(lines) * CELL + 10
    legend, height = _legend(look)
    drawn.append(tag("g", legend, transform=f"translate(0,{y:.2f})"))
    low, high = min(rows, key=lambda row: row.mos), max(rows, key=lambda row: row.mos)
    return make(
        "satisfaction",
        words("heat.title"),
        Body(drawn, y + height),
        look,
        alternative=words("mos.said", n=len(rows), low=said(low, look), high=said(high, look)),
        how_to_read=words("heat.how"),
        table=FigureTable(columns(look), rows_of(rows, NAMES)),
        notes=end_notes(rows, shares, words) + [words("mos.alone")] * any(row.ci_low is None for row in rows),
        opens=True,
    )


def shade(mos: float) -> tuple[str, str]:
    """Returns the colours of a cell and of the text on it."""
    share = (mos - (LOW + HIGH) / 2) / ((HIGH - LOW) / 2)
    end = ENDS[share > 0]
    mixed = [round(middle + (dark - middle) * abs(share)) for middle, dark in zip(MIDDLE, end, strict=True)]
    return "#" + "".join(f"{part:02x}" for part in mixed), "#ffffff" if abs(share) > 0.6 else INK


def _cell(row: MosRow | None, crowded: str | None, box: tuple[float, float, float], look: Look) -> list[Element]:
    x, y, width = box
    if row is None:
        return [tag("rect", x=x + 1, y=y + 1, width=width - 2, height=CELL - 2, fill="none", stroke="#dfe3e8")]
    fill, ink = shade(row.mos)
    parts = [tag("rect", x=x + 1, y=y + 1, width=width - 2, height=CELL - 2, fill=fill)]
    parts.append(label(look.words.decimal(row.mos, 1), x + width / 2, y + 16, anchor="middle", colour=ink, bold=True))
    parts.append(label(f"n={row.n}", x + width / 2, y + 28, anchor="middle", colour=ink, size=10))
    if crowded is not None:
        corner = f"M {x + width - 2:.2f} {y + 2:.2f} h -8 l 8 8 z"
        parts.append(tag("path", d=corner, fill=ink, data_end=crowded))
    # the button is above the text, as a name that replaces the text of a button would have to contain it
    button = tag("rect", x=x + 1, y=y + 1, width=width - 2, height=CELL - 2, fill=fill, fill_opacity=0)
    return [*parts, of_condition([button], said(row, look), row, [row.stack], look)]


def _stack(name: str, x: float, y: float, slanted: bool) -> Element:
    if not slanted:
        return label(name, x, y, anchor="middle", colour=FAINT, size=11)
    text = label(name, 0, 0, colour=FAINT, size=11)
    text.set("transform", f"translate({x:.2f},{y:.2f}) rotate(-48)")
    return text


def _legend(look: Look) -> tuple[list[Element], float]:
    """The seven points of the scale in their colours, with the words of its ends."""
    parts: list[Element] = []
    for score in range(int(LOW), int(HIGH) + 1):
        fill, ink = shade(score)
        x = (score - 1) * 30.0
        parts.append(tag("rect", x=x, y=4, width=30, height=18, fill=fill))
        parts.append(label(str(score), x + 15, 17, anchor="middle", colour=ink, size=11))
    parts.append(label(f"1 {look.words('scale.1')}, 7 {look.words('scale.7')}", 0, 38, colour=FAINT, size=11))
    return parts, 46
