"""The panel below a page in a researcher's clip: a clock, the curve of visual completeness, and metrics as marks.

For a pair, a frame is drawn around each metric that is first on this side, and the panel says if the metrics disagree.
The panel is drawn twice, pale and lit; each frame shows the lit drawing up to its own time.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from math import ceil

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from eyelevel.batch.agreement import NAMES, firsts, quarrel
from eyelevel.batch.planned import Plan
from eyelevel.video import Frame
from eyelevel_core.batch_folder import FilmedTake

# increase this number when the drawing changes, so that clips are made again
DRAWING = 5
PANEL_PX = 220
HEAD_PX, LEFT_PX, RIGHT_PX, FOOT_PX = 40, 52, 20, 54
GROUND, INK, PALE, LINE = (24, 26, 30), (238, 240, 242), (112, 118, 126), (58, 62, 68)
WARNING = (255, 196, 84)
CURVE, PALE_CURVE, HEAD = (110, 190, 255), (62, 84, 104), (255, 255, 255)
# in the order below the curve; the colours also differ in lightness
COLOURS = {
    "fvc_ms": (130, 220, 140),
    "si_ms": (250, 210, 90),
    "vc85_ms": (255, 140, 90),
    "plt_ms": (200, 160, 255),
    "lvc_ms": (255, 110, 130),
}
MARKS = {key: (name, COLOURS[key]) for key, name in NAMES.items()}
STEPS_MS = (100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000)
CLOCK_PX = (250, 34)
# clock, chart and foot, which change by themselves; from even rows to even rows, as a clip's colours want
BANDS = (slice(0, HEAD_PX), slice(HEAD_PX, PANEL_PX - FOOT_PX), slice(PANEL_PX - FOOT_PX, PANEL_PX))
Colour = tuple[int, int, int]


class Panel:
    """The panel of one page; `paint` draws it into a picture at a moment."""

    def __init__(self, plan: Plan, side: int) -> None:
        take = plan.takes[side]
        self._width = take.take.film_size.width_px
        self._end_ms = max(plan.timing.end_ms, 1.0)
        self._progress = take.progress()
        self._chips: list[tuple[float, int, int]] = []
        title = f"{take.stack}   {take.network}   {take.site}   run {take.run} ({plan.role})"
        first: dict[str, int] = {}
        if plan.kind == "pair":
            left, right = (filmed.metrics for filmed in plan.takes)
            first = firsts(left, right, frame_ms=plan.timing.frame_ms)
        self._quarrel = quarrel(first, [filmed.stack for filmed in plan.takes])
        self._first = {name for name, where in first.items() if where == side}
        self._pale = self._drawn(take, title, lit=False)
        self._lit = self._drawn(take, title, lit=True)

    def paint(self, onto: Frame, ms: float) -> None:
        """Draw the panel as it is `ms` after navigation start into the PANEL_PX rows below the page."""
        onto[:] = self._pale
        onto[:HEAD_PX] = self._lit[:HEAD_PX]
        at = self._x(min(max(ms, 0.0), self._end_ms))
        foot = PANEL_PX - FOOT_PX
        if ms >= 0:
            onto[HEAD_PX:foot, :at] = self._lit[HEAD_PX:foot, :at]
            onto[HEAD_PX:foot, at : at + 2] = HEAD
        for reached_ms, left, right in self._chips:
            if ms >= reached_ms:
                onto[foot + 18 :, left:right] = self._lit[foot + 18 :, left:right]
        clock = Image.new("RGB", CLOCK_PX, GROUND)
        text = f"{ms / 1000:.2f} s   {self.complete_percent(ms)} %"
        ImageDraw.Draw(clock).text((CLOCK_PX[0], 2), text, INK, font=ImageFont.load_default(26), anchor="ra")
        width = min(CLOCK_PX[0], self._width - RIGHT_PX)
        right = self._width - RIGHT_PX
        onto[3 : 3 + CLOCK_PX[1], right - width : right] = np.asarray(clock)[:, CLOCK_PX[0] - width :]

    def complete_percent(self, ms: float) -> int:
        """Returns the completeness of the page at this time, for the clock."""
        place = bisect_right(self._progress, (ms, 101.0)) - 1
        return round(self._progress[place][1]) if place >= 0 else 0

    def _x(self, ms: float) -> int:
        return LEFT_PX + round((self._width - LEFT_PX - RIGHT_PX) * ms / self._end_ms)

    def _drawn(self, take: FilmedTake, title: str, *, lit: bool) -> Frame:
        image = Image.new("RGB", (self._width, PANEL_PX), GROUND)
        draw = ImageDraw.Draw(image)
        small, warning, medium = (ImageFont.load_default(size) for size in (14, 17, 20))
        ink: Colour = INK if lit else PALE
        draw.text((12, 8), title, INK, font=medium)
        if self._quarrel:
            left = 12 + ceil(draw.textlength(title, font=medium)) + 28
            if left + draw.textlength(self._quarrel, font=warning) <= self._width - RIGHT_PX - CLOCK_PX[0]:
                draw.text((left, 10), self._quarrel, WARNING, font=warning)
        top, bottom = HEAD_PX + 6, PANEL_PX - FOOT_PX - 2

        def y(percent: float) -> int:
            return round(bottom - (bottom - top) * percent / 100)

        for percent in (0, 50, 85, 100):
            draw.line([(LEFT_PX, y(percent)), (self._width - RIGHT_PX, y(percent))], fill=LINE)
            anchor = "rm" if percent != 85 else "rt"
            draw.text((LEFT_PX - 6, y(percent)), f"{percent}", ink, font=small, anchor=anchor)
        self._ticks(draw, bottom, ink)
        draw.line(self._steps(y), fill=CURVE if lit else PALE_CURVE, width=3)
        for place, (key, (_, colour)) in enumerate(MARKS.items()):
            ms = take.metrics[key]
            if ms is not None and ms <= self._end_ms:
                # each begins a step lower, so that of two at one moment both are seen
                start = top + place * (bottom - top) // len(MARKS)
                draw.line([(self._x(ms), start), (self._x(ms), bottom)], fill=_shade(colour, lit), width=2)
        self._draw_chips(draw, take, lit=lit)
        return np.asarray(image)

    def _ticks(self, draw: ImageDraw.ImageDraw, bottom: int, ink: Colour) -> None:
        room = max(1, (self._width - LEFT_PX - RIGHT_PX) // 60)
        step = next((s for s in STEPS_MS if self._end_ms / s <= room), STEPS_MS[-1])
        for number in range(ceil(self._end_ms / step)):
            x = self._x(number * step)
            draw.line([(x, bottom), (x, bottom + 4)], fill=PALE)
            draw.text((x, bottom + 5), f"{number * step / 1000:g}", ink, font=ImageFont.load_default(12), anchor="mt")

    def _steps(self, y: Callable[[float], int]) -> Sequence[tuple[int, int]]:
        points: list[tuple[int, int]] = []
        for ms, percent in self._progress:
            if ms > self._end_ms:
                break
            if points:
                points.append((self._x(ms), points[-1][1]))
            points.append((self._x(ms), y(percent)))
        return [*points, (self._x(self._end_ms), points[-1][1])] if points else []

    def _draw_chips(self, draw: ImageDraw.ImageDraw, take: FilmedTake, *, lit: bool) -> None:
        font = ImageFont.load_default(18)
        left = 12
        for key, (name, colour) in MARKS.items():
            ms = take.metrics[key]
            text = f"{name} unknown" if ms is None else f"{name} {ms / 1000:.2f} s"
            draw.text((left, PANEL_PX - 30), text, _shade(colour, lit), font=font)
            right = left + ceil(draw.textlength(text, font=font)) + 24
            if key in self._first:
                box = (left - 7, PANEL_PX - 33, right - 18, PANEL_PX - 5)
                draw.rectangle(box, outline=_shade(colour, lit), width=2)
            if lit and ms is not None:
                self._chips.append((ms, left - 8, right - 8))
            left = right


def _shade(colour: Colour, lit: bool) -> Colour:
    red, green, blue = colour
    return colour if lit else (red // 3 + 20, green // 3 + 20, blue // 3 + 20)
