"""Parts that all figures share: titled SVG, scales, axes and legends."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from xml.etree.ElementTree import Element

from eyelevel_figures.elements import tag
from eyelevel_figures.numbers import plain
from eyelevel_figures.palette import FAINT, GRID, INK

FONT = "system-ui, -apple-system, 'Segoe UI', 'Liberation Sans', Arial, sans-serif"


@dataclass(frozen=True)
class Drawing:
    """Marks with a text alternative; `name` is its file and the root of its ids.

    Marks that a click opens (`opens`) can be reached by the keyboard, so the drawing is a group of them; otherwise it
    is one picture. `pad` is the space around the marks, in px; width and height exclude it.
    """

    name: str
    title: str
    description: str
    width: float
    height: float
    marks: Sequence[Element]
    opens: bool = False
    pad: float = 0

    def element(self) -> Element:
        width, height = self.width + 2 * self.pad, self.height + 2 * self.pad
        return tag(
            "svg",
            tag("title", self.title, id=f"{self.name}-title"),
            tag("desc", self.description, id=f"{self.name}-desc"),
            tag("rect", x=-self.pad or None, y=-self.pad or None, width=width, height=height, fill="#fff"),
            self.marks,
            viewBox=f"{-self.pad:g} {-self.pad:g} {width:g} {height:g}",
            width=width,
            height=height,
            role="group" if self.opens else "img",
            aria_labelledby=f"{self.name}-title {self.name}-desc",
            font_family=FONT,
            font_size=12,
        )


@dataclass(frozen=True)
class Scale:
    """A mapping of values to pixels, with round ticks."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def cut(self, value: float) -> float:
        """Returns the pixel of the value, or of the end of the scale if the value lies beyond it."""
        return self(min(max(value, self.low), self.high))

    def ticks(self, about: int = 5) -> list[float]:
        step = nice_step((self.high - self.low) / about)
        first, last = ceil(round(self.low / step, 9)), floor(round(self.high / step, 9))
        return [round(i * step, 9) for i in range(first, last + 1)]


def nice_step(raw: float) -> float:
    """Returns the next larger of 1, 2, 5 x a power of ten."""
    power = 10.0 ** floor(log10(raw))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw * 0.999)


def around(values: Iterable[float], *, least: float) -> tuple[float, float]:
    """Returns round ends that include all values and 0, at least `least` to either side."""
    held = [0.0, *values]
    low, high = min(*held, -least), max(*held, least)
    step = nice_step((high - low) / 5) / 2
    return floor(round(low / step, 9)) * step, ceil(round(high / step, 9)) * step


def label(
    words: str, x: float, y: float, *, anchor: str = "start", colour: str = INK, bold: bool = False, size: float = 12
) -> Element:
    return tag(
        "text", words, x=x, y=y, text_anchor=anchor, fill=colour, font_size=size, font_weight="600" if bold else None
    )


def line(x1: float, y1: float, x2: float, y2: float, *, colour: str = GRID, width: float = 1) -> Element:
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=colour, stroke_width=width)


def short(words: str, most: int = 24) -> str:
    """Shortens a text to at most `most` characters by its middle, as names often differ at their ends."""
    if len(words) <= most:
        return words
    room = most - 1
    return f"{words[: room - room // 2]}…{words[len(words) - room // 2 :]}"


def plain_figure(value: float) -> str:
    """Formats a value at an axis, in English."""
    return plain(value, "en")


def horizontal_axis(
    scale: Scale,
    top: float,
    bottom: float,
    words: str = "",
    show: Callable[[float], str] = plain_figure,
    *,
    about: int = 5,
    ticks: Sequence[float] | None = None,
) -> list[Element]:
    """Draws vertical grid lines with their values and a title below; 36 px high. Zero is dark, inside the range."""
    elements = []
    for value in scale.ticks(about) if ticks is None else ticks:
        x, zero = scale(value), value == 0 and scale.low < 0
        elements.append(line(x, top, x, bottom, colour=INK if zero else GRID))
        elements.append(label(show(value), x, bottom + 15, anchor="middle", colour=FAINT, size=11))
    if words:
        elements.append(label(words, (scale.start + scale.end) / 2, bottom + 32, anchor="middle", colour=FAINT))
    return elements


def vertical_axis(scale: Scale, left: float, right: float, words: str, *, about: int = 5) -> list[Element]:
    """Draws horizontal grid lines with their values to the left, and a title above."""
    elements = []
    for value in scale.ticks(about):
        y = scale(value)
        elements.append(line(left, y, right, y))
        elements.append(label(plain_figure(value), left - 5, y + 4, anchor="end", colour=FAINT, size=11))
    elements.append(label(words, 4, scale.end - 10, colour=FAINT))
    return elements


def gain_axis(scale: Scale, top: float, bottom: float, *, about: int = 5) -> list[Element]:
    """Draws a horizontal axis of gains and losses in percent."""
    return horizontal_axis(scale, top, bottom, show=_gain, about=about)


def _gain(value: float) -> str:
    return f"{100 * value:+.3g} %".replace("-", "−") if value else "0"
