"""Measures a film with given frame times: one pass, one frame in memory."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from eyelevel.errors import BadInputError
from eyelevel.measure.decode import Times, distinct_frames
from eyelevel.measure.frozen import of_parts
from eyelevel.measure.histogram import Planes
from eyelevel.measure.metrics import Metrics, check_increasing
from eyelevel.measure.parts import Splitter, temporary
from eyelevel.video import Video, inspect
from eyelevel_core.model.mask import Mask

# A lossy encoder repaints what stands still a little differently, most of all at key frames; a pixel counts as changed
# when a channel moves by more than this (of 255).
LOSSY_TOLERANCE = 16


def measure_film(
    film: Path, times_ms: Sequence[float], mask: Mask | None = None, *, end_ms: float | None = None
) -> Metrics:
    """Measure a lossless film; `times_ms` holds one time per stored frame, in milliseconds since navigation start.

    Frames before navigation have negative times. Frames are compared exactly. The regions of `mask` are frozen once
    they have appeared; the film lasts until `end_ms`, without it until its last frame. Raise BadInputError if the film
    is not a video, if the number of frames and times differ, or if times do not increase.
    """
    return _measure(inspect(film), times_ms, mask, tolerance=0, end_ms=end_ms)


def measure_video(
    path: Path,
    times_ms: Sequence[float] | None = None,
    mask: Mask | None = None,
    *,
    tolerance: int | None = None,
) -> Metrics:
    """Measure any video; without `times_ms` by its own timestamps, its first frame being navigation start.

    The regions of `mask` are frozen once they have appeared. Without a `tolerance`, frames are compared exactly where
    pixels are stored as RGB, else with LOSSY_TOLERANCE.
    """
    video = inspect(path)
    chosen = (0 if video.is_rgb else LOSSY_TOLERANCE) if tolerance is None else tolerance
    return _measure(video, times_ms, mask, tolerance=chosen)


def _measure(
    video: Video,
    times_ms: Sequence[float] | None,
    mask: Mask | None,
    *,
    tolerance: int,
    end_ms: float | None = None,
) -> Metrics:
    clock, splitter = Times(), Splitter(fitting(mask, video))
    with temporary() as parts:
        kept = []
        for index, planes in _differing(distinct_frames(video, clock), tolerance):
            kept.append(index)
            parts.add(splitter.split(planes))
        try:
            return of_parts([round(ms, 3) for ms in shown_ms(clock, times_ms, kept)], parts, mask, end_ms=end_ms)
        except ValueError as error:
            raise BadInputError(f"{video.path} cannot be measured: {error}.") from error


def fitting(mask: Mask | None, video: Video) -> Mask | None:
    """The mask; raise BadInputError where it is of another viewport than the film."""
    if mask is not None and (mask.viewport.width_px, mask.viewport.height_px) != (video.width_px, video.height_px):
        raise BadInputError(
            f"{video.path} is {video.width_px}x{video.height_px}, but the mask is of a viewport of "
            f"{mask.viewport.width_px}x{mask.viewport.height_px}; give the mask of this viewport."
        )
    return mask


def shown_ms(clock: Times, times_ms: Sequence[float] | None, kept: Sequence[int]) -> list[float]:
    """The times of the distinct frames numbered in `kept`."""
    shown_us = [clock.given_us[index] for index in kept]
    if times_ms is None:
        return [(us - clock.all_us[0]) / 1000 for us in shown_us]
    if len(times_ms) != len(clock.all_us):
        raise ValueError(f"it has {len(clock.all_us)} frames, but {len(times_ms)} times")
    check_increasing(times_ms)
    place = {us: index for index, us in enumerate(clock.all_us)}
    return [times_ms[place[us]] for us in shown_us]


def _differing(frames: Iterable[Planes], tolerance: int) -> Iterator[tuple[int, Planes]]:
    """Those more than `tolerance` away from the last one kept, so that slow drift is seen; and their numbers."""
    kept: NDArray[np.uint8] | None = None
    for index, planes in enumerate(frames):
        if tolerance == 0:
            yield index, planes
            continue
        stacked = np.stack(planes)
        if kept is None or ((np.maximum(kept, stacked) - np.minimum(kept, stacked)) > tolerance).any():
            kept = stacked
            yield index, planes
