"""Draws figures 1, 3 and 4 of the paper from the pages of a batch."""

from collections.abc import Mapping, Sequence
from statistics import median
from xml.etree.ElementTree import Element

from eyelevel.report.words import ms, plural, signed_ms
from eyelevel_figures.canvas import Drawing, Scale, around, horizontal_axis, label, line, vertical_axis
from eyelevel_figures.elements import number, tag
from eyelevel_figures.palette import FAINT, INK, colour, dash
from eyelevel_papers.nepomuceno2018.effects import Box
from eyelevel_papers.nepomuceno2018.pages import PageRow
from eyelevel_papers.nepomuceno2018.published import CACHES, CONFIGURATIONS, EVENTS, LOSSES, RTTS_MS, Configuration
from eyelevel_stats.arms import empirical_distribution

WIDTH, LEFT, RIGHT, TOP, BOTTOM = 480.0, 58.0, 462.0, 44.0, 270.0
LEGEND_ROW, LEGEND_COLUMN = 17, 135
SLOT, BAR = 56.0, 15.0


def differences(rows: Sequence[PageRow], metric: str, cache: str) -> Drawing:
    """Draws one panel of figure 3: a line per configuration through its pages, sorted by mean(QUIC) - mean(TCP)."""
    shown = [row for row in rows if (row.metric, row.cache) == (metric, cache)]
    lines = {
        configuration: [row for row in shown if row.configuration == configuration] for configuration in CONFIGURATIONS
    }
    most = max((len(points) for points in lines.values()), default=0)
    x = Scale(1, max(most, 2), LEFT, RIGHT)
    y = Scale(*around([row.difference_ms for row in shown], least=1), BOTTOM, TOP)
    head = f"{EVENTS[metric]}, {CACHES[cache]}"
    marks = [
        label(head, 4, 18, bold=True, size=14),
        *vertical_axis(y, LEFT, RIGHT, "mean(QUIC) − mean(TCP), ms"),
        *_pages_axis(x, most),
        line(LEFT, y(0), RIGHT, y(0), colour=INK, width=1.2),
        *(_line(configuration, points, x, y) for configuration, points in lines.items() if points),
        *_legend(BOTTOM + 52),
    ]
    words = " ".join(_words(configuration, points) for configuration, points in lines.items() if points)
    name = f"difference-{metric}-{cache}"
    height = BOTTOM + 52 + LEGEND_ROW * len(LOSSES)
    return Drawing(name, f"Difference per page, {head}", words or "No page was captured.", WIDTH, height, marks)


def _pages_axis(scale: Scale, most: int) -> list[Element]:
    """Draws ticks at whole numbers of pages, as many as there is room for."""
    marks = [tick for tick in scale.ticks(6) if tick == int(tick)] if most > 1 else [1]
    ticks = [label(f"{tick:g}", scale(tick), BOTTOM + 15, anchor="middle", colour=FAINT, size=11) for tick in marks]
    return [*ticks, label("pages, sorted", (LEFT + RIGHT) / 2, BOTTOM + 32, anchor="middle", colour=FAINT)]


def _style(configuration: Configuration) -> tuple[str, str | None]:
    """Colour by round trip, dashes by loss."""
    return colour(RTTS_MS.index(configuration.rtt_ms)), dash(LOSSES.index(configuration.loss))


def _line(configuration: Configuration, rows: Sequence[PageRow], x: Scale, y: Scale) -> Element:
    points = " ".join(f"{number(x(row.rank))},{number(y(row.difference_ms))}" for row in rows)
    shade, dashes = _style(configuration)
    drawn: Element
    if len(rows) == 1:
        drawn = tag("circle", cx=x(1), cy=y(rows[0].difference_ms), r=3, fill="none", stroke=shade, stroke_width=1.5)
    else:
        drawn = tag("polyline", points=points, fill="none", stroke=shade, stroke_width=1.6, stroke_dasharray=dashes)
    drawn.append(tag("title", configuration.words))
    return drawn


def _legend(top: float) -> list[Element]:
    """A column per round trip."""
    marks = []
    for configuration in CONFIGURATIONS:
        column, row = divmod(configuration.number - 1, len(LOSSES))
        left, middle = LEFT + LEGEND_COLUMN * column, top + LEGEND_ROW * row
        shade, dashes = _style(configuration)
        path = f"M {number(left)} {number(middle)} h 24"
        marks.append(tag("path", d=path, fill="none", stroke=shade, stroke_width=1.8, stroke_dasharray=dashes))
        marks.append(label(configuration.words, left + 29, middle + 4, size=10))
    return marks


def _words(configuration: Configuration, rows: Sequence[PageRow]) -> str:
    better = sum(row.difference_ms < 0 for row in rows)
    middle = signed_ms(median(row.difference_ms for row in rows))
    return f"{configuration.words}: QUIC is faster on {better} of {len(rows)} pages, median difference {middle} ms."


def box_plots(boxes: Sequence[Box], stacks: Sequence[str], *, metric: str, cache: str) -> Drawing:
    """Draws figure 4: per configuration a box per stack; whiskers to 1.5 interquartile ranges, circles beyond."""
    right = LEFT + SLOT * len(CONFIGURATIONS)
    top = max((value for box in boxes for value in (box.high_ms, *box.outliers_ms)), default=1.0)
    y = Scale(0, around([top], least=1)[1], BOTTOM, TOP)
    marks = [
        label(f"{EVENTS[metric]}, {CACHES[cache]}", 4, 18, bold=True, size=14),
        *vertical_axis(y, LEFT, right, "page's mean, ms"),
    ]
    for configuration in CONFIGURATIONS:
        middle = LEFT + SLOT * (configuration.number - 0.5)
        marks += [
            label(configuration.name, middle, BOTTOM + 16, anchor="middle", size=11),
            label(f"{configuration.rtt_ms:g} ms", middle, BOTTOM + 30, anchor="middle", colour=FAINT, size=10),
            label(f"{100 * configuration.loss:g} %", middle, BOTTOM + 43, anchor="middle", colour=FAINT, size=10),
        ]
    for box in boxes:
        place = stacks.index(box.stack)
        x = LEFT + SLOT * (box.configuration.number - 0.5) + (place - (len(stacks) - 1) / 2) * (BAR + 4)
        marks += _box(box, place, x, y)
    for place, stack in enumerate(stacks):
        left = LEFT + 190 * place
        marks.append(tag("rect", x=left, y=BOTTOM + 56, width=11, height=11, fill=colour(place), fill_opacity=0.35))
        marks.append(label(stack, left + 17, BOTTOM + 66))
    words = " ".join(
        f"{box.configuration.name}, {box.stack}: median {ms(box.median_ms)} ms of {plural(box.pages, 'page')}."
        for box in boxes
    )
    title = f"Means of pages by network, {EVENTS[metric]}, {CACHES[cache]}"
    return Drawing(f"boxes-{metric}-{cache}", title, words or "No page was captured.", right + 10, BOTTOM + 76, marks)


def _box(box: Box, place: int, x: float, y: Scale) -> list[Element]:
    shade, half = colour(place), BAR / 2
    body = tag(
        "rect",
        x=x - half,
        y=y(box.q3_ms),
        width=BAR,
        height=max(y(box.q1_ms) - y(box.q3_ms), 0.8),
        fill=shade,
        fill_opacity=0.35,
        stroke=shade,
    )
    body.append(tag("title", f"{box.configuration.words}, {box.stack}: median {ms(box.median_ms)} ms"))
    return [
        line(x, y(box.low_ms), x, y(box.q1_ms), colour=shade),
        line(x, y(box.q3_ms), x, y(box.high_ms), colour=shade),
        line(x - half / 2, y(box.low_ms), x + half / 2, y(box.low_ms), colour=shade),
        line(x - half / 2, y(box.high_ms), x + half / 2, y(box.high_ms), colour=shade),
        body,
        line(x - half, y(box.median_ms), x + half, y(box.median_ms), colour=INK, width=1.6),
        *(tag("circle", cx=x, cy=y(value), r=2, fill="none", stroke=shade) for value in box.outliers_ms),
    ]


def object_cdf(objects: Mapping[str, float]) -> Drawing:
    """Draws figure 1: the cumulative distribution of objects per page."""
    x = Scale(0, around(list(objects.values()), least=10)[1], LEFT, RIGHT)
    y = Scale(0, 1, BOTTOM, TOP)
    marks = [
        label("Objects per page", 4, 18, bold=True, size=14),
        *vertical_axis(y, LEFT, RIGHT, "share of pages"),
        *horizontal_axis(x, TOP, BOTTOM, "objects"),
    ]
    if objects:
        path = f"M {number(x(0))} {number(y(0))}"
        for value, reached in empirical_distribution(list(objects.values())):
            path += f" H {number(x(value))} V {number(y(reached))}"
        drawn = f"{path} H {number(RIGHT)}"
        marks.append(tag("path", d=drawn, fill="none", stroke=colour(0), stroke_width=2))
    words = ". ".join(f"{site}: {count:g}" for site, count in objects.items())
    return Drawing("objects", "Objects per page", f"{words or 'No page was captured'}.", WIDTH, BOTTOM + 44, marks)
