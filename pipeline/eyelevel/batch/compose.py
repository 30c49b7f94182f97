"""The pictures of a clip, one after the other, from one film or from two beside each other."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing

import numpy as np

from eyelevel.batch.panel import PANEL_PX, Panel
from eyelevel.batch.planned import Plan
from eyelevel.batch.timeline import Timing, picks
from eyelevel.errors import BadInputError
from eyelevel.video import Frame, decode, probe
from eyelevel_core.batch_folder import FilmedTake
from eyelevel_core.batch_folder.takes import FRAMES

# between the two pages of a pair: narrow, and of a grey that no page mistakes for its own
GAP_PX = 16
GAP_COLOUR = (96, 96, 96)


def page_px(plan: Plan) -> tuple[int, int]:
    """Width and height of one page."""
    viewports = [stored.take.viewport for stored in plan.takes]
    if viewports[0] != viewports[-1]:
        raise BadInputError(f"{plan.takes[0].label} and {plan.takes[1].stack} were filmed in different sizes.")
    return viewports[0].width_px, viewports[0].height_px


def size_px(plan: Plan) -> tuple[int, int]:
    """Width and height of a clip, even numbers as the video format wants them."""
    (width, height), count = page_px(plan), len(plan.takes)
    return count * width + (count - 1) * GAP_PX, height + (PANEL_PX if plan.audience == "researcher" else 0)


def part(plan: Plan, side: int) -> tuple[slice, slice]:
    """Rows and columns of a page within the clip: side 0 is the left or only one."""
    width, height = page_px(plan)
    left = side * (width + GAP_PX)
    return slice(0, height), slice(left, left + width)


def pictures(plan: Plan) -> Generator[Frame]:
    """Every frame of the clip at its constant rate; a page that settled earlier keeps its last picture.

    Each film is decoded once. A picture may be one array, painted anew: use it before asking for the next.
    """
    films = [shown(take, plan.timing_of(side)) for side, take in enumerate(plan.takes)]
    try:
        if plan.kind == "single" and plan.audience == "participant":
            yield from films[0]
        else:
            yield from _painted(plan, films)
    finally:
        for film in films:
            film.close()


def _painted(plan: Plan, films: Sequence[Iterator[Frame]]) -> Iterator[Frame]:
    width, height = size_px(plan)
    canvas = np.full((height, width, 3), GAP_COLOUR, np.uint8)
    parts = [part(plan, side) for side in range(len(films))]
    panels = [Panel(plan, side) for side in range(len(films))] if plan.audience == "researcher" else []
    last: list[Frame | None] = [None] * len(films)
    for number, frames in enumerate(zip(*films, strict=True)):
        for side, frame in enumerate(frames):
            if frame is not last[side]:
                canvas[parts[side]] = frame
                last[side] = frame
        for panel, (rows, columns) in zip(panels, parts, strict=bool(panels)):
            panel.paint(canvas[rows.stop :, columns], plan.timing.moment_ms(number))
        yield canvas


def shown(take: FilmedTake, timing: Timing) -> Generator[Frame]:
    """What a clip of this timing shows of a film; the very same array where a picture stays."""
    video = probe(take.film)
    viewport = take.take.viewport
    if (video.width_px, video.height_px) != (viewport.width_px, viewport.height_px):
        raise BadInputError(f"{take.film} is {video.width_px}x{video.height_px}, but take.json says otherwise.")
    with closing(decode(video)) as frames:
        at, frame = 0, _next(frames, take)
        for index in picks(take.times_ms, timing):
            while at < index:
                at, frame = at + 1, _next(frames, take)
            yield frame


def _next(frames: Iterator[Frame], take: FilmedTake) -> Frame:
    frame = next(frames, None)
    if frame is None:
        raise BadInputError(f"{take.film} has fewer frames than {take.folder / FRAMES} has times.")
    return frame
