"""Metrics of the browser, from the performance entries of a document. Pure; sources are in docs/reference/metrics.md.

Times are in milliseconds since navigation start. Unknown is None, never 0.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import fsum, inf
from typing import TypedDict

from eyelevel_core.model.take import PaintedElement

# (start, end)
Period = tuple[float, float]

# Lighthouse, core/computed/metrics/interactive.js: REQUIRED_QUIET_WINDOW, ALLOWED_CONCURRENT_REQUESTS, and the length
# of a long task, as in the W3C's Long Tasks API
QUIET_MS = 5000.0
MOST_REQUESTS = 2
LONG_TASK_MS = 50.0
# web.dev, "Cumulative Layout Shift": a session window ends after 1 s without a shift, and after 5 s
SESSION_GAP_MS = 1000.0
SESSION_MS = 5000.0


@dataclass(frozen=True)
class Candidate:
    """An element that was the largest one painted so far; `selector` is None if it was removed before its report."""

    time_ms: float
    size_px: float
    selector: str | None
    url: str | None

    @property
    def element(self) -> PaintedElement:
        """Returns the element without its time, to identify it."""
        return PaintedElement(self.selector, self.url, self.size_px)


@dataclass(frozen=True)
class Entries:
    """The performance entries of a document.

    `paints_ms` are the known ones of first paint and first contentful paint; none if the page navigated by script,
    because the film may show the first document. `candidates` for the largest contentful paint are in order; `shifts`
    are (time, score) without those that follow an input, `long_tasks` are (start, end). These three are None if the
    observer did not answer.
    """

    load_ms: float | None = None
    paints_ms: Sequence[float] = ()
    fcp_ms: float | None = None
    dcl_ms: float | None = None
    dcl_end_ms: float | None = None
    ttfb_ms: float | None = None
    candidates: Sequence[Candidate] | None = None
    shifts: Sequence[tuple[float, float]] | None = None
    long_tasks: Sequence[Period] | None = None
    first_input_ms: float | None = None


class KeptCandidate(TypedDict):
    """A largest contentful paint, as the observer stores it."""

    start: float
    size_px: float
    url: str | None
    selector: str | None


class Kept(TypedDict):
    """The observer's entries (browsing/observer.py); shifts are (start, score), the next two (start, duration)."""

    candidates: Sequence[KeptCandidate]
    shifts: Sequence[tuple[float, float]]
    long_tasks: Sequence[Period]
    renderings: Sequence[Period]
    first_input: float | None


class Answer(TypedDict):
    """A document's answer to observer.QUESTION; times are in ms since its own time origin, 0 for missing events."""

    origin: float
    title: str
    loadEventStart: float
    domContentLoadedEventStart: float
    domContentLoadedEventEnd: float
    firstPaint: float
    firstContentfulPaint: float
    kept: Kept | None


def entries_of(answer: Answer, *, zero_ms: float) -> Entries:
    """Returns the entries in an answer to observer.QUESTION, without the first byte's.

    `zero_ms` is navigation start since 1970. A document that was opened by another one's script has a later time
    origin, which its times are relative to.
    """
    offset = answer["origin"] - zero_ms

    def since_zero(at_ms: float) -> float | None:
        return float(at_ms + offset) if at_ms > 0 else None

    paints = since_zero(answer["firstPaint"]), since_zero(answer["firstContentfulPaint"])
    entries = Entries(
        load_ms=since_zero(answer["loadEventStart"]),
        paints_ms=tuple(paint for paint in paints if paint is not None and offset == 0),
        fcp_ms=paints[1],
        dcl_ms=since_zero(answer["domContentLoadedEventStart"]),
        dcl_end_ms=since_zero(answer["domContentLoadedEventEnd"]),
    )
    kept = answer["kept"]
    if kept is None:
        return entries
    return replace(
        entries,
        candidates=[
            Candidate(candidate["start"] + offset, candidate["size_px"], candidate["selector"], candidate["url"])
            for candidate in kept["candidates"]
        ],
        shifts=[(start + offset, score) for start, score in kept["shifts"]],
        long_tasks=[
            (start + offset, start + offset + length)
            for start, length in with_renderings(kept["long_tasks"], kept["renderings"])
        ],
        first_input_ms=None if kept["first_input"] is None else kept["first_input"] + offset,
    )


def until(entries: Entries, end_ms: float) -> Entries:
    """Returns the entries as if the observer had stopped at `end_ms`; a task that lasts longer ends then."""

    def before(ms: float | None) -> float | None:
        return None if ms is None or ms > end_ms else ms

    return replace(
        entries,
        load_ms=before(entries.load_ms),
        paints_ms=tuple(ms for ms in entries.paints_ms if ms <= end_ms),
        fcp_ms=before(entries.fcp_ms),
        dcl_ms=before(entries.dcl_ms),
        dcl_end_ms=before(entries.dcl_end_ms),
        ttfb_ms=before(entries.ttfb_ms),
        candidates=entries.candidates
        and [candidate for candidate in entries.candidates if candidate.time_ms <= end_ms],
        shifts=entries.shifts and [(ms, score) for ms, score in entries.shifts if ms <= end_ms],
        long_tasks=entries.long_tasks
        and [(begun, min(ended, end_ms)) for begun, ended in entries.long_tasks if begun < end_ms],
        first_input_ms=before(entries.first_input_ms),
    )


def with_renderings(tasks: Sequence[Period], renderings: Iterable[Period]) -> list[Period]:
    """Returns the long tasks, and the long renderings that are not among them; all as (start, duration).

    The Long Tasks API reports only tasks that ran a script. A task that also rendered is in both lists, with ends that
    differ by the browser's rounding.
    """

    def is_task(start: float, length: float) -> bool:
        shared = (min(start + length, at + long) - max(start, at) for at, long in tasks)
        return any(overlap > length / 2 for overlap in shared)

    return sorted(
        [*tasks, *(rendering for rendering in renderings if rendering[1] > LONG_TASK_MS and not is_task(*rendering))]
    )


def browser_metrics(entries: Entries, requests: Iterable[Period], *, until_ms: float) -> dict[str, float | None]:
    """Returns the metrics by field; `requests` are the finished GET requests, the page is known until `until_ms`.

    A settled page is assumed to remain unchanged, as for the metrics of the film: its `until_ms` is infinite. It was
    quiet for `quiet_ms`, so the rest of TTI's 5 s is assumed.
    """
    largest = lcp(entries)
    tti = None
    if entries.fcp_ms is not None and entries.dcl_end_ms is not None and entries.long_tasks is not None:
        tti = tti_ms(entries.fcp_ms, entries.dcl_end_ms, entries.long_tasks, requests, until_ms=until_ms)
    return {
        "fcp_ms": entries.fcp_ms,
        "lcp_ms": None if largest is None else largest.time_ms,
        "cls": None if entries.shifts is None else cls(entries.shifts),
        "cls_sum": None if entries.shifts is None else cls_sum(entries.shifts),
        "tbt_ms": None if tti is None else tbt_ms(entries.long_tasks or (), entries.fcp_ms or 0.0, tti),
        "tti_ms": tti,
        "dcl_ms": entries.dcl_ms,
        "ttfb_ms": entries.ttfb_ms,
    }


def lcp(entries: Entries) -> Candidate | None:
    """Returns the last candidate before any input; None if there is none."""
    end_ms = inf if entries.first_input_ms is None else entries.first_input_ms
    return next((candidate for candidate in reversed(entries.candidates or ()) if candidate.time_ms <= end_ms), None)


def cls(shifts: Iterable[tuple[float, float]]) -> float:
    """Returns the largest sum of a session window; 0 if nothing shifted."""
    largest = total = 0.0
    first_ms = last_ms = -inf
    for time_ms, score in sorted(shifts):
        if time_ms - last_ms > SESSION_GAP_MS or time_ms - first_ms > SESSION_MS:
            first_ms, total = time_ms, 0.0
        last_ms = time_ms
        total += score
        largest = max(largest, total)
    return largest


def cls_sum(shifts: Iterable[tuple[float, float]]) -> float:
    """Returns the sum of all shifts, which is CLS in Lighthouse 6 and 7; 0 if nothing shifted."""
    return fsum(score for _, score in shifts)


def tbt_ms(long_tasks: Iterable[Period], fcp_ms: float, tti_ms: float) -> float:
    """Returns the time beyond 50 ms of all long tasks between FCP and TTI, each first cut to this interval."""
    within = (min(end, tti_ms) - max(start, fcp_ms) for start, end in long_tasks)
    return sum(max(0.0, length - LONG_TASK_MS) for length in within)


def tti_ms(
    fcp_ms: float, dcl_end_ms: float, long_tasks: Sequence[Period], requests: Iterable[Period], *, until_ms: float
) -> float | None:
    """Returns the end of the last long task before the first quiet window after FCP; None if there was no such window.

    A quiet window lasts 5 s, without long tasks, and with at most two GET requests in flight.
    """
    for idle in _long_enough(_idle(long_tasks, until_ms), fcp_ms):
        for quiet in _long_enough(_few(requests, until_ms), fcp_ms):
            if min(idle[1], quiet[1]) - max(idle[0], quiet[0]) >= QUIET_MS:
                return max(idle[0], fcp_ms, dcl_end_ms)
    return None


def _long_enough(periods: Iterable[Period], fcp_ms: float) -> list[Period]:
    """The periods that contain a window; as in Lighthouse, it may begin before FCP if it ends 5 s after it."""
    return [period for period in periods if period[1] > fcp_ms + QUIET_MS and period[1] - period[0] >= QUIET_MS]


def _idle(long_tasks: Iterable[Period], until_ms: float) -> list[Period]:
    """The times between long tasks."""
    tasks = sorted(long_tasks)
    ends = [0.0, *(end for _, end in tasks)]
    return list(zip(ends, [*(start for start, _ in tasks), until_ms], strict=True))


def _few(requests: Iterable[Period], until_ms: float) -> list[Period]:
    """The times with at most MOST_REQUESTS of `requests` in flight."""
    changes = sorted(change for start, end in requests for change in ((start, 1), (end, -1)))
    periods: list[Period] = []
    since: float | None = 0.0
    in_flight = 0
    for time_ms, change in changes:
        in_flight += change
        if in_flight > MOST_REQUESTS and since is not None:
            periods.append((since, time_ms))
            since = None
        elif in_flight <= MOST_REQUESTS and since is None:
            since = time_ms
    return periods if since is None else [*periods, (since, until_ms)]
