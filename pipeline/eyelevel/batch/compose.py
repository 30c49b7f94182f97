"""Renders the pictures of a clip with their frame numbers, from one film or from two films side by side."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from heapq import merge
from itertools import groupby
from operator import itemgetter

import numpy as np

from eyelevel.batch.panel import BANDS, PANEL_PX, Panel
from eyelevel.batch.planar import TO_PLANAR, Picture, size_bytes, to_planar
from eyelevel.batch.planned import Plan
from eyelevel.batch.timeline import Timing, changes
from eyelevel.errors import BadInputError
from eyelevel.video import Frame, decode_to, inspect
from eyelevel_core.batch_folder import FilmedTake
from eyelevel_core.batch_folder.takes import FRAMES

# gap between the two pages of a pair: narrow, and grey, so that it does not look like a part of a page
GAP_PX = 16
GAP_COLOUR = (96, 96, 96)
# a frame's number, and the pages that change there: side and picture
Moment = tuple[int, Sequence[tuple[int, Picture]]]


def page_px(plan: Plan) -> tuple[int, int]:
    """Returns width and height of one page."""
    sizes = [stored.take.film_size for stored in plan.takes]
    if sizes[0] != sizes[-1]:
        raise BadInputError(
            f"{plan.takes[0].label} and {plan.takes[1].stack} were filmed in different sizes; capture them again."
        )
    return sizes[0].width_px, sizes[0].height_px


def size_px(plan: Plan) -> tuple[int, int]:
    """Returns width and height of a clip, which are even because the video format requires it."""
    (width, height), count = page_px(plan), len(plan.takes)
    return count * width + (count - 1) * GAP_PX, height + (PANEL_PX if plan.audience == "researcher" else 0)


def part(plan: Plan, side: int) -> tuple[slice, slice]:
    """Returns rows and columns of a page in the clip; side 0 is the left or only page."""
    width, height = page_px(plan)
    left = side * (width + GAP_PX)
    return slice(0, height), slice(left, left + width)


def pictures(plan: Plan) -> Generator[tuple[int, Picture]]:
    """Yields the pictures of a clip, each with the number of its first frame.

    The last picture is yielded again at the clip's last frame, so that the clip's length is known. A page that settled
    earlier keeps its last picture. A researcher's clip has a picture for each frame, because its clock runs. Each film
    is decoded once. All pictures share one buffer: use a picture before you request the next.
    """
    films = [_shown(take, plan.timing_of(side), side) for side, take in enumerate(plan.takes)]
    try:
        together = merge(*films, key=itemgetter(0))
        moments = ((frame, [shown[1:] for shown in group]) for frame, group in groupby(together, key=itemgetter(0)))
        if plan.audience == "researcher":
            yield from _with_panels(plan, _each_frame(moments, plan.timing.count))
        else:
            yield from _painted(plan, moments)
    finally:
        for film in films:
            film.close()


def _painted(plan: Plan, moments: Iterator[Moment]) -> Iterator[tuple[int, Picture]]:
    canvas, last = _ground(plan), plan.timing.count - 1
    for frame, pages in moments:
        _paint(canvas, plan, pages)
        yield frame, canvas
    if frame < last:
        yield last, canvas


def _with_panels(plan: Plan, moments: Iterator[Moment]) -> Iterator[tuple[int, Picture]]:
    canvas = _ground(plan)
    panels = [_PanelBelow(Panel(plan, side), *part(plan, side)) for side in range(len(plan.takes))]
    for frame, pages in moments:
        _paint(canvas, plan, pages)
        for panel in panels:
            panel.paint(canvas, plan.timing.moment_ms(frame))
        yield frame, canvas


def _ground(plan: Plan) -> Picture:
    width, height = size_px(plan)
    return to_planar(np.full((height, width, 3), GAP_COLOUR, np.uint8))


def _paint(canvas: Picture, plan: Plan, pages: Sequence[tuple[int, Picture]]) -> None:
    for side, page in pages:
        rows, columns = part(plan, side)
        canvas.put(page, rows.start, columns.start)


def _each_frame(moments: Iterator[Moment], count: int) -> Iterator[Moment]:
    """The same with the frames between at which no page changes."""
    coming = next(moments, None)
    for frame in range(count):
        if coming is not None and coming[0] == frame:
            yield coming
            coming = next(moments, None)
        else:
            yield frame, ()


class _PanelBelow:
    """A panel below its page; only changes since the previous picture are converted to the clip's colours."""

    def __init__(self, panel: Panel, rows: slice, columns: slice) -> None:
        self._panel = panel
        self._top, self._left = rows.stop, columns.start
        self._now = np.zeros((PANEL_PX, columns.stop - columns.start, 3), np.uint8)
        self._before: Frame | None = None

    def paint(self, canvas: Picture, ms: float) -> None:
        self._panel.paint(self._now, ms)
        for rows, columns in self._changed():
            canvas.put(to_planar(self._now[rows, columns]), self._top + rows.start, self._left + columns.start)
        self._before = self._now.copy()

    def _changed(self) -> Iterator[tuple[slice, slice]]:
        """The changed columns in each band of the panel, from an even column to an even column."""
        for rows in BANDS:
            if self._before is None:
                yield rows, slice(0, self._now.shape[1])
                continue
            differs = self._now[rows] != self._before[rows]
            # over rows only, which is many times faster in numpy than over rows and channels
            changed = differs.reshape(len(differs), -1).any(axis=0).nonzero()[0] // 3
            if changed.size:
                yield rows, slice(int(changed[0]) // 2 * 2, int(changed[-1]) // 2 * 2 + 2)


def _shown(take: FilmedTake, timing: Timing, side: int) -> Generator[tuple[int, int, Picture]]:
    """The pictures of a film in a clip of this timing: frame, side, and picture."""
    video = inspect(take.film)
    width, height = (take.take.film_size.width_px, take.take.film_size.height_px)
    if (video.width_px, video.height_px) != (width, height):
        raise BadInputError(
            f"{take.film} is {video.width_px}x{video.height_px}, but take.json says {width}x{height}; capture the take "
            "again."
        )
    with closing(decode_to(video, "-vf", TO_PLANAR, frame_bytes=size_bytes(width, height))) as stored:
        numbered = enumerate(stored)
        for frame, index in changes(take.times_ms, timing):
            for number, data in numbered:
                if number == index:
                    yield frame, side, Picture(width, height, data)
                    break
            else:
                raise BadInputError(
                    f"{take.film} has fewer frames than {take.folder / FRAMES} has times; capture the take again."
                )
