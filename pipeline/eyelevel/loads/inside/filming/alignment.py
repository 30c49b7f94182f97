"""Alignment of the film's time origin with the browser's, by two independent measures. Pure.

The film's zero is the document's time origin as the browser tells it, on the clock that stamps the film's frames.
The picture checks it: the browser tells when it first painted, the film when the screen first changed. The clocks are
checked by asking the browser what time it is, between two readings of the film's clock.
"""

from collections.abc import Sequence

from eyelevel.loads.inside.filming.frames import Frame

# (milliseconds since 1970: by the film's clock before the question, in the browser's answer, by the film's clock after)
Question = tuple[float, float, float]


# A paint so far from the first change is not that change's. So long before it, nothing was painted that could be seen
# (on reddit, 300 ms); so long after it, the browser told late (of wikipedia's search box on MSS, 260 ms). The film is
# not so far off: a late picture voids the run, and the clocks are held against each other.
ANOTHER_MS = 100


def zero_error_ms(shown: Sequence[Frame], zero_ms: float, paints_ms: Sequence[float]) -> float | None:
    """The film's first change minus the browser's own paint, both since navigation start.

    `paints_ms` are the first paint and the first contentful paint, where the browser knows of them: the first may show
    nothing but a background that was white before, so the nearer one counts.

    `shown` are the frames from navigation start on. None where nothing changed, or the browser knows of no paint that
    could be this change.
    """
    if len(shown) < 2:
        return None
    seen_ms = shown[1].time_ms - zero_ms
    error_ms = min((seen_ms - paint_ms for paint_ms in paints_ms), key=abs, default=None)
    return None if error_ms is None or abs(error_ms) > ANOTHER_MS else error_ms


def clock_error_ms(questions: Sequence[Question]) -> tuple[float, float]:
    """The browser's clock minus ours, and how far off this may be: half of the quickest question's round trip."""
    before, told, after = min(questions, key=lambda question: question[2] - question[0])
    return told - (before + after) / 2, (after - before) / 2
