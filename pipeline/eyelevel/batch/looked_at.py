"""Measures an encoded clip again and compares it with its films; computes the SSIM of last pictures."""

import re
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from eyelevel.batch.agreement import apart, disagreements, only_metrics
from eyelevel.batch.compose import part, shown
from eyelevel.batch.planned import Plan
from eyelevel.batch.timeline import Timing
from eyelevel.errors import EyelevelError
from eyelevel.video import Frame, decode, last_line, probe, program
from eyelevel_core.batch_folder import FilmedTake
from eyelevel_core.model.metrics import MetricValues, plain

# frames with their times in ms since navigation start, and how far a channel (0-255) may differ in frames that still
# count as one; gives what `eyelevel measure --json` prints. The commands hand in the function of the stage measure.
Measure = Callable[[Iterable[tuple[float, Frame]], int], Mapping[str, Any]]

ALIKE = 0.99
# An encoder paints what stands still a little differently from frame to frame. Coarser and finer eyes, one of which
# must see in the clip what is in the film: pages fade so gently that the coarse one misses it, or the fine one sees
# the encoder at work. One figure alone left out clips of pages that fade a little faster or slower than it suits.
TOLERANCES = (16, 8, 4)
BY_COLOURS = ("si_ms", "vc85_ms")


def film_metrics(take: FilmedTake, timing: Timing, measure: Measure) -> MetricValues:
    """What a clip of this timing must agree with: the take's metrics, or those of the film up to the clip's end."""
    shown = plain(take.metrics)
    if shown["lvc_ms"] is None or shown["lvc_ms"] <= timing.last_ms:
        return shown
    with closing(decode(probe(take.film))) as frames:
        timed = ((ms, frame) for ms, frame in zip(take.times_ms, frames, strict=True) if ms <= timing.last_ms)
        return only_metrics(measure(timed, 0))


def clip_metrics(clip: Path, plan: Plan, side: int, tolerance: int, measure: Measure) -> dict[str, float | None]:
    """The metrics of one page as the clip shows it, in ms since its own navigation start."""
    rows, columns = part(plan, side)
    return only_metrics(measure(_timed(clip, plan.timing_of(side), rows, columns), tolerance))


@dataclass(frozen=True)
class Look:
    """What a clip shows of each take, where that disagrees with the films, and which metrics agree by colours only.

    `hopeless`: its pictures disagreed before they were encoded, so that no better encoding helps.
    """

    measured: list[dict[str, float | None]]
    wrong: list[str]
    by_colours: list[str]
    hopeless: bool = False


def look_at(clip: Path, plan: Plan, measure: Measure, *, in_its_colours: Callable[[], Sequence[MetricValues]]) -> Look:
    """Measure a clip again and compare it with its films.

    A clip has fewer colours than its film (every 2 x 2 pixels share a hue), and SI and VC85 count pixels by their exact
    colours: on some pages this alone moves them. So where a clip disagrees, but its pictures before encoding do not,
    these two may agree with the film in the clip's own colours instead, which `in_its_colours` measures; FVC and LVC
    must agree with the film in any case.
    """
    frame_ms = 1000 / plan.timing.frame_rate
    films = [film_metrics(take, plan.timing_of(side), measure) for side, take in enumerate(plan.takes)]
    looks: list[list[dict[str, float | None]]] = []
    for tolerance in TOLERANCES:
        measured = [clip_metrics(clip, plan, side, tolerance, measure) for side in range(len(films))]
        if not _wrong(films, measured, frame_ms):
            return Look(measured, [], [])
        looks.append(measured)
    uncoded = [_uncoded(take, plan.timing_of(side), measure) for side, take in enumerate(plan.takes)]
    if before := _wrong(films, uncoded, frame_ms):
        return Look(looks[0], before, [], hopeless=True)
    thin = in_its_colours()
    for measured in looks:
        mixed = [
            {**film, **{name: other[name] for name in BY_COLOURS}} for film, other in zip(films, thin, strict=True)
        ]
        if not _wrong(mixed, measured, frame_ms):
            moved = {name for f, m in zip(films, measured, strict=True) for name in apart(f, m, frame_ms=frame_ms)}
            return Look(measured, [], sorted(moved))
    return Look(looks[0], _wrong(films, looks[0], frame_ms), [])


def _uncoded(take: FilmedTake, timing: Timing, measure: Measure) -> MetricValues:
    """The metrics of the pictures that a clip is encoded from, at the clip's moments."""
    with closing(shown(take, timing)) as frames:
        return only_metrics(measure(_changed(frames, timing), 0))


def _wrong(films: Sequence[MetricValues], measured: Sequence[MetricValues], frame_ms: float) -> list[str]:
    pairs = zip(films, measured, strict=True)
    return [words for film, clip in pairs for words in disagreements(film, clip, frame_ms=frame_ms)]


def ssim(one: Frame, other: Frame) -> float:
    """How alike two pictures of one size are, 1 for the same: the mean SSIM of red, green and blue.

    By ffmpeg's filter `ssim` (blocks of 8 x 8 pixels, every fourth), after Z. Wang et al., "Image quality assessment:
    from error visibility to structural similarity", 2004.
    """
    height, width, _ = one.shape
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, name) for name in ("one", "other")]
        for path, frame in zip(paths, (one, other), strict=True):
            path.write_bytes(np.ascontiguousarray(frame).tobytes())
        reading = ("-f", "rawvideo", "-pixel_format", "rgb24", "-video_size", f"{width}x{height}", "-framerate", "1")
        command = [
            *(program("ffmpeg"), "-nostdin", "-loglevel", "error"),
            *(*reading, "-i", str(paths[0]), *reading, "-i", str(paths[1])),
            "-filter_complex",
            "[0:v]format=pix_fmts=gbrp[a];[1:v]format=pix_fmts=gbrp[b];[a][b]ssim=stats_file=-",
            *("-f", "null", "-"),
        ]
        done = subprocess.run(command, capture_output=True, check=False)
    found = re.search(rb" All:([0-9.]+)", done.stdout)
    if done.returncode != 0 or found is None:
        raise EyelevelError(f"ffmpeg could not compare two pictures: {last_line(done.stderr)}.")
    return float(found[1])


def _timed(clip: Path, timing: Timing, rows: slice, columns: slice) -> Iterator[tuple[float, Frame]]:
    with closing(decode(probe(clip))) as frames:
        for ms, frame in _changed(frames, timing):
            yield ms, frame[rows, columns]


def _changed(frames: Iterable[Frame], timing: Timing) -> Iterator[tuple[float, Frame]]:
    """The frames that differ from the one before: most do not, and comparing bytes is the quickest way to know."""
    last: Frame | None = None
    for number, frame in enumerate(frames):
        if last is None or (frame is not last and not np.array_equal(frame, last)):
            yield timing.moment_ms(number), frame
        last = frame
