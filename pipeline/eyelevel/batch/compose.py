"""The pictures of a clip, one after the other, from one film or from two beside each other."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing

import numpy as np

from eyelevel.batch.plan import Plan
from eyelevel.batch.takes import Take
from eyelevel.batch.timeline import frame_count, picks
from eyelevel.errors import BadInputError
from eyelevel.video import Frame, decode, probe

# between the two pages of a pair: narrow, and of a grey that no page mistakes for its own
GAP_PX = 16
GAP_COLOUR = (96, 96, 96)


def size_px(plan: Plan) -> tuple[int, int]:
    """Width and height of a clip, even numbers as the video format wants them."""
    sizes = {(t.value["viewport"]["width_px"], t.value["viewport"]["height_px"]) for t in plan.takes}
    if len(sizes) > 1:
        raise BadInputError(f"{plan.takes[0].name} and {plan.takes[1].stack} were filmed in different sizes.")
    width, height = sizes.pop()
    count = len(plan.takes)
    return count * width + (count - 1) * GAP_PX, height


def pictures(plan: Plan, frame_rate: int) -> Generator[Frame]:
    """Every frame of the clip at its constant rate; a page that settled earlier keeps its last picture.

    Each film is decoded once. A picture may be one array, painted anew: use it before asking for the next.
    """
    count = frame_count(plan.end_ms, frame_rate)
    films = [_shown(take, picks(take.times_ms, frame_rate=frame_rate, count=count)) for take in plan.takes]
    try:
        if plan.kind == "single":
            yield from films[0]
        else:
            yield from _beside(films, size_px(plan))
    finally:
        for film in films:
            film.close()


def _beside(films: Sequence[Iterator[Frame]], size: tuple[int, int]) -> Iterator[Frame]:
    width, height = size
    canvas = np.full((height, width, 3), GAP_COLOUR, np.uint8)
    page_width = (width - GAP_PX) // 2
    shown: list[Frame | None] = [None, None]
    for frames in zip(*films, strict=True):
        for side, frame in enumerate(frames):
            if frame is not shown[side]:
                left = side * (page_width + GAP_PX)
                canvas[:, left : left + page_width] = frame
                shown[side] = frame
        yield canvas


def _shown(take: Take, indexes: Sequence[int]) -> Generator[Frame]:
    video = probe(take.film)
    viewport = take.value["viewport"]
    if (video.width_px, video.height_px) != (viewport["width_px"], viewport["height_px"]):
        raise BadInputError(f"{take.film} is {video.width_px}x{video.height_px}, but take.json says otherwise.")
    with closing(decode(video)) as frames:
        at, frame = 0, _next(frames, take)
        for index in indexes:
            while at < index:
                at, frame = at + 1, _next(frames, take)
            yield frame


def _next(frames: Iterator[Frame], take: Take) -> Frame:
    frame = next(frames, None)
    if frame is None:
        raise BadInputError(f"{take.film} has fewer frames than {take.film.parent / 'frames.json'} has times.")
    return frame
