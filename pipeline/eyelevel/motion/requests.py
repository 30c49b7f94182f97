"""Determines which requests of a page have no visible effect (M3)."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean, pstdev
from urllib.parse import urlsplit

from eyelevel_core.model.mask import (
    ASKED_NEEDED,
    ASKED_OVER_MS,
    LOADS_NEEDED,
    MOST_VARIATION,
    PAINTS_WITHIN_MS,
    NotPainting,
)
from eyelevel_core.model.response import Response


@dataclass(frozen=True)
class Request:
    """A request of one load; times are in ms since navigation start, and `ended_ms` is None if it did not end."""

    key: str
    begun_ms: float
    ended_ms: float | None


def key_of(url: str) -> str:
    """Returns host and path, which identify a request across loads."""
    parts = urlsplit(url)
    return f"{parts.netloc}{parts.path}"


def not_painting(loads: Sequence[Sequence[Request]], changes_ms: Sequence[Sequence[float]]) -> tuple[NotPainting, ...]:
    """Returns the sorted keys of requests that need not be waited for; `changes_ms` are each load's changes that count.

    A key is regular if it is requested regularly in LOADS_NEEDED of the loads, or in all if there are fewer. It paints
    nothing if it is requested in as many loads, and nothing changed soon after it in any load.
    """
    keys = sorted({request.key for requests in loads for request in requests})
    needed = min(LOADS_NEEDED, len(loads))
    result = []
    for key in keys:
        by_load = [[request for request in requests if request.key == key] for requests in loads]
        if sum(is_regular([request.begun_ms for request in requests]) for requests in by_load) >= needed:
            result.append(NotPainting(key, "regular"))
        elif sum(map(bool, by_load)) >= needed and not any(
            _painted(requests, changes) for requests, changes in zip(by_load, changes_ms, strict=True)
        ):
            result.append(NotPainting(key, "paints nothing"))
    return tuple(result)


def is_regular(asked_ms: Iterable[float]) -> bool:
    """Returns whether requests at these times are polling."""
    times = sorted(asked_ms)
    if len(times) < ASKED_NEEDED or times[-1] - times[0] < ASKED_OVER_MS:
        return False
    intervals = [later - earlier for earlier, later in pairwise(times)]
    return pstdev(intervals) < MOST_VARIATION * fmean(intervals)


def _painted(requests: Iterable[Request], changes_ms: Sequence[float]) -> bool:
    """Whether anything changed soon after one of the requests ended; `changes_ms` must be in order."""
    for ended_ms in (request.ended_ms for request in requests if request.ended_ms is not None):
        after = bisect_right(changes_ms, ended_ms)
        if after < len(changes_ms) and changes_ms[after] <= ended_ms + PAINTS_WITHIN_MS:
            return True
    return False


def of_responses(responses: Iterable[Response], endless: Iterable[str]) -> list[Request]:
    """Returns the requests of a responses.json that could paint, without those of the types `endless`."""
    never = frozenset(endless)
    by_key: defaultdict[str, list[Request]] = defaultdict(list)
    for response in responses:
        if response.resource_type not in never:
            key = key_of(response.url)
            by_key[key].append(Request(key, response.begun_ms, response.ended_ms))
    return [request for requests in by_key.values() for request in requests]
