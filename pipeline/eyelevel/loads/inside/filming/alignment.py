"""Alignment of the film's time origin with the browser's, by two independent measures. Pure.

The film's zero is the document's time origin as the browser reports it, on the clock of the film's frames. The picture
checks it: the browser reports its first paint, and the film the first change of the screen. The clocks are checked by
reading the browser's clock between two readings of the film's clock.
"""

from collections.abc import Sequence

from eyelevel.loads.inside.filming.frames import Frame

# (milliseconds since 1970: by the film's clock before, in the browser's answer, by the film's clock after)
Question = tuple[float, float, float]


# A paint this far from the first change does not belong to it. An earlier paint showed nothing visible (on reddit,
# 300 ms before); a later one was reported late (wikipedia's search box on MSS, 260 ms after). The film's error is
# smaller: a late picture voids the run, and the clocks are compared.
ANOTHER_MS = 100


def zero_error_ms(shown: Sequence[Frame], zero_ms: float, paints_ms: Sequence[float]) -> float | None:
    """Returns the film's first change minus the browser's paint, both since navigation start.

    `paints_ms` are the known ones of first paint and first contentful paint: the first paint may show only a white
    background, as before, so the nearer one counts. `shown` are the frames from navigation start on. None if nothing
    changed, or if no paint can be this change.
    """
    if len(shown) < 2:
        return None
    seen_ms = shown[1].time_ms - zero_ms
    error_ms = min((seen_ms - paint_ms for paint_ms in paints_ms), key=abs, default=None)
    return None if error_ms is None or abs(error_ms) > ANOTHER_MS else error_ms


def clock_error_ms(questions: Sequence[Question]) -> tuple[float, float]:
    """Returns the browser's clock minus ours, and the bound of its error: half of the fastest question's round trip."""
    before, answer, after = min(questions, key=lambda question: question[2] - question[0])
    return answer - (before + after) / 2, (after - before) / 2
