"""Measure a film with the times of its frames, decoding it once and holding one frame at a time."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from eyelevel.errors import BadInputError
from eyelevel.measure.metrics import Metrics, measure
from eyelevel.video import Frame, Video, decode, frame_times_ms, probe

# A lossy encoder repaints what stands still a little differently, most of all at key frames; a pixel counts as changed
# when a channel moves by more than this (of 255).
LOSSY_TOLERANCE = 16


def measure_film(film: Path, times_ms: Sequence[float]) -> Metrics:
    """Measure a lossless film; `times_ms` holds one time per stored frame, in milliseconds since navigation start.

    Frames before navigation have negative times. Frames are compared exactly. Raise BadInputError if the film is
    not a video, if the number of frames and times differ, or if times do not increase.
    """
    return _measure(probe(film), times_ms, tolerance=0)


def measure_video(path: Path, times_ms: Sequence[float] | None = None, *, tolerance: int | None = None) -> Metrics:
    """Measure any video; without `times_ms` by its own timestamps, its first frame being navigation start.

    Without a `tolerance`, frames are compared exactly where pixels are stored as RGB, else with LOSSY_TOLERANCE.
    """
    video = probe(path)
    chosen = (0 if video.is_rgb else LOSSY_TOLERANCE) if tolerance is None else tolerance
    return _measure(video, frame_times_ms(path) if times_ms is None else times_ms, tolerance=chosen)


def _measure(video: Video, times_ms: Sequence[float], *, tolerance: int) -> Metrics:
    try:
        return measure(_timed(video, times_ms), tolerance=tolerance)
    except ValueError as error:
        raise BadInputError(f"{video.path} cannot be measured: {error}.") from error


def _timed(video: Video, times_ms: Sequence[float]) -> Iterator[tuple[float, Frame]]:
    count = 0
    for frame in decode(video):
        if count < len(times_ms):
            yield round(times_ms[count], 3), frame
        count += 1
    if count != len(times_ms):
        raise ValueError(f"it has {count} frames, but {len(times_ms)} times")
