"""The curve of visual completeness, and the metrics that follow from it. Pure.

Its points are (milliseconds since navigation start, percent): the first stands for navigation start, and one for each
visual change follows.
"""

from collections.abc import Sequence
from itertools import pairwise

Progress = Sequence[tuple[float, float]]
VISUALLY_COMPLETE_PERCENT = 85


def of_progress(progress: Progress) -> dict[str, float | None]:
    """Computes the visual metrics; None where the page never changed, as then they are unknown."""
    if len(progress) < 2:
        return {"fvc_ms": None, "si_ms": None, "vc85_ms": None, "lvc_ms": None}
    return {
        "fvc_ms": progress[1][0],
        "si_ms": speed_index_ms(progress),
        "vc85_ms": visually_complete_ms(progress, VISUALLY_COMPLETE_PERCENT),
        "lvc_ms": progress[-1][0],
    }


def speed_index_ms(progress: Progress) -> int:
    """Computes the area above the curve of visual completeness, in milliseconds, rounded down.

    Source: `calculate_speed_index` in visualmetrics/visualmetrics-portable.py of sitespeedio/browsertime, with its
    arithmetic in doubles.
    """
    area = 0.0  # added up step by step: newer Pythons' sum() corrects roundings that the source does not
    for (earlier, percent), (later, _) in pairwise(progress):
        area += (later - earlier) * (1.0 - percent / 100.0)
    return int(area)


def visually_complete_ms(progress: Progress, percent: int) -> float | None:
    """Computes the time from which a page stays at least `percent` complete; None if it never does.

    Painting may go backwards: a fall below `percent` discards an earlier moment. Source:
    lib/video/postprocessing/visualmetrics/extraMetrics.js of sitespeedio/browsertime.
    """
    moment: float | None = None
    for ms, complete in progress:
        if complete < percent:
            moment = None
        elif moment is None:
            moment = ms
    return moment
