"""Measures an encoded clip again and compares it with its films; computes the SSIM of last pictures."""

import re
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from eyelevel.batch.agreement import apart, disagreements, only_metrics
from eyelevel.batch.compose import part
from eyelevel.batch.grid import on_grid
from eyelevel.batch.planar import Picture
from eyelevel.batch.planned import Plan
from eyelevel.batch.timeline import Timing
from eyelevel.errors import EyelevelError
from eyelevel.video import Page, last_line, program
from eyelevel_core.batch_folder import FilmedTake
from eyelevel_core.model.metrics import MetricValues, plain

# (video, pages within it, tolerances, times of frames in place of the video's own) -> by tolerance, the values that
# `eyelevel measure --json` prints for each page. A tolerance is the largest difference of a channel (0-255) between
# frames that count as equal. The commands pass the function of the stage measure.
Measure = Callable[
    [Path, Sequence[Page], Sequence[int], Sequence[float] | None], Sequence[Sequence[Mapping[str, object]]]
]

ALIKE = 0.99
# An encoder draws a static picture slightly differently from frame to frame. At one of these tolerances, the clip must
# agree with the film: a coarse one may miss a slow fade, and a fine one may count artefacts of the encoder. A single
# tolerance would exclude clips of pages that fade a little faster or slower.
TOLERANCES = (16, 8, 4)
BY_COLOURS = ("si_ms", "vc85_ms")


def film_metrics(take: FilmedTake, timing: Timing, measure: Measure) -> MetricValues:
    """Returns the expected metrics of a clip of this timing: the take's, or those of the film up to the clip's end."""
    shown = plain(take.take.metrics)
    if shown["lvc_ms"] is None or shown["lvc_ms"] <= timing.last_ms:
        return shown
    size = take.take.film_size
    whole = Page(slice(0, size.height_px), slice(0, size.width_px), until_ms=timing.last_ms)
    return only_metrics(measure(take.film, [whole], [0], take.times_ms)[0][0])


def clip_metrics(
    clip: Path, plan: Plan, tolerances: Sequence[int], measure: Measure
) -> list[list[dict[str, float | None]]]:
    """Measures each page of a clip by tolerance, in ms since the page's navigation start."""
    pages = [Page(*part(plan, side), start_ms=plan.timing_of(side).start_ms) for side in range(len(plan.takes))]
    return [[only_metrics(page) for page in looked] for looked in measure(clip, pages, tolerances, None)]


@dataclass(frozen=True)
class Look:
    """The metrics of each take in a clip, disagreements with the films, and metrics that agree only by colours.

    `hopeless`: the pictures disagreed before encoding, so no better encoding helps.
    """

    measured: list[dict[str, float | None]]
    wrong: list[str]
    by_colours: list[str]
    hopeless: bool = False


def look_at(clip: Path, plan: Plan, measure: Measure, *, in_its_colours: Callable[[], Sequence[MetricValues]]) -> Look:
    """Measures a clip again, and compares it with its films.

    A clip has fewer colours than its film (every 2 x 2 pixels share a hue), and SI and VC85 depend on the exact colours
    of pixels; on some pages, this alone changes them. If a clip disagrees but its pictures before encoding don't, these
    two metrics may agree with the film in the clip's colours instead, as `in_its_colours` measures. FVC and LVC must
    always agree with the film. The coarsest tolerance is tried first, and the others only if it disagrees.
    """
    frame_ms = plan.timing.frame_ms
    films = [film_metrics(take, plan.timing_of(side), measure) for side, take in enumerate(plan.takes)]
    looks: list[list[dict[str, float | None]]] = []
    for tolerances in (TOLERANCES[:1], TOLERANCES[1:]):
        for measured in clip_metrics(clip, plan, tolerances, measure):
            if not _wrong(films, measured, frame_ms):
                return Look(measured, [], [])
            looks.append(measured)
    if before := _before_encoding(plan):
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


def _wrong(films: Sequence[MetricValues], measured: Sequence[MetricValues], frame_ms: float) -> list[str]:
    pairs = zip(films, measured, strict=True)
    return [words for film, clip in pairs for words in disagreements(film, clip, frame_ms=frame_ms)]


def _before_encoding(plan: Plan) -> list[str]:
    """The disagreements of a film's metrics with its own curve at the clip's frames, which no encoding can remove."""
    wrong = []
    for side, take in enumerate(plan.takes):
        timing = plan.timing_of(side)
        if (take.metrics["lvc_ms"] or 0) <= timing.last_ms:
            wrong += disagreements(take.metrics, on_grid(take.progress(), timing), frame_ms=timing.frame_ms)
    return wrong


def ssim(one: Picture, other: Picture) -> float:
    """Returns the similarity of two pictures of equal size, 1 if identical: the mean SSIM of red, green and blue.

    By ffmpeg's filter `ssim` (blocks of 8 x 8 pixels, every fourth), after Z. Wang et al., "Image quality assessment:
    from error visibility to structural similarity", 2004.
    """
    height, width = one.planes[0].shape
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, name) for name in ("one", "other")]
        for path, picture in zip(paths, (one, other), strict=True):
            path.write_bytes(picture.data.tobytes())
        reading = ("-f", "rawvideo", "-pixel_format", "yuv420p", "-video_size", f"{width}x{height}", "-framerate", "1")
        command = [
            *(program("ffmpeg"), "-nostdin", "-loglevel", "error"),
            *(*reading, "-i", str(paths[0]), *reading, "-i", str(paths[1])),
            "-filter_complex",
            "[0:v]format=pix_fmts=gbrp[a];[1:v]format=pix_fmts=gbrp[b];[a][b]ssim=stats_file=-",
            *("-f", "null", "-"),
        ]
        completed = subprocess.run(command, capture_output=True, check=False)
    similarity = re.search(rb" All:([0-9.]+)", completed.stdout)
    if completed.returncode != 0 or similarity is None:
        raise EyelevelError(f"ffmpeg could not compare two pictures: {last_line(completed.stderr)}.")
    return float(similarity[1])
