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

# A lossy encoder changes still pixels slightly, mostly at key frames; a pixel counts as changed if a channel differs by
# more than this (of 255).
LOSSY_TOLERANCE = 16


def measure_film(
    film: Path, times_ms: Sequence[float], mask: Mask | None = None, *, end_ms: float | None = None
) -> Metrics:
    """Measures a lossless film; `times_ms` has a time per stored frame, in milliseconds since navigation start.

    Frames before navigation have negative times. Frames are compared exactly. The regions of `mask` are frozen once
    they have appeared; the film lasts until `end_ms`, or without it until its last frame. Raises BadInputError if the
    film is not a video, if the numbers of frames and times differ, or if times do not increase.
    """
    return _measure(inspect(film), times_ms, mask, tolerance=0, end_ms=end_ms)


def measure_video(
    path: Path,
    times_ms: Sequence[float] | None = None,
    mask: Mask | None = None,
    *,
    tolerance: int | None = None,
) -> Metrics:
    """Measures any video; without `times_ms` by its timestamps, with the first frame as navigation start.

    The regions of `mask` are frozen once they have appeared. Without a `tolerance`, frames are compared exactly if
    pixels are stored as RGB, otherwise with LOSSY_TOLERANCE.
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
        indices = []
        for index, planes in _differing(distinct_frames(video, clock), tolerance):
            indices.append(index)
            parts.add(splitter.split(planes))
        try:
            return of_parts([round(ms, 3) for ms in shown_ms(clock, times_ms, indices)], parts, mask, end_ms=end_ms)
        except ValueError as error:
            raise BadInputError(f"{video.path} cannot be measured: {error}.") from error


def fitting(mask: Mask | None, video: Video) -> Mask | None:
    """Returns the mask; raises BadInputError if its viewport differs from the film."""
    if mask is not None and (mask.viewport.width_px, mask.viewport.height_px) != (video.width_px, video.height_px):
        raise BadInputError(
            f"{video.path} is {video.width_px}x{video.height_px}, but the mask is for a viewport of "
            f"{mask.viewport.width_px}x{mask.viewport.height_px}; give the mask for the video's viewport."
        )
    return mask


def shown_ms(clock: Times, times_ms: Sequence[float] | None, indices: Sequence[int]) -> list[float]:
    """Returns the times of the distinct frames with the numbers in `indices`."""
    shown_us = [clock.given_us[index] for index in indices]
    if times_ms is None:
        return [(us - clock.all_us[0]) / 1000 for us in shown_us]
    if len(times_ms) != len(clock.all_us):
        raise ValueError(f"it has {len(clock.all_us)} frames, but {len(times_ms)} times")
    check_increasing(times_ms)
    place = {us: index for index, us in enumerate(clock.all_us)}
    return [times_ms[place[us]] for us in shown_us]


def _differing(frames: Iterable[Planes], tolerance: int) -> Iterator[tuple[int, Planes]]:
    """The frames that differ by more than `tolerance` from the last one kept (to detect slow drift), with numbers."""
    last: NDArray[np.uint8] | None = None
    for index, planes in enumerate(frames):
        if tolerance == 0:
            yield index, planes
            continue
        stacked = np.stack(planes)
        if last is None or ((np.maximum(last, stacked) - np.minimum(last, stacked)) > tolerance).any():
            last = stacked
            yield index, planes
