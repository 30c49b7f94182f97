"""Sums of the phases of a page's requests, from its HAR. Pure; times in ms."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from eyelevel_core.batch_folder.har import HarEntry

# HAR 1.2's phases in their order; TLS is part of connect. CONNECTING is part of HAR's blocked, but separate here
CONNECTING = "blocked_connect"
PHASES = ("blocked", CONNECTING, "dns", "connect", "send", "wait", "receive")
# the phases of a page whose log has none
UNKNOWN: Mapping[str, float | None] = dict.fromkeys(PHASES)


@dataclass(frozen=True)
class _Request:
    """`server` is its address, or its host where the address is unknown; -1 is an unknown time, as in HAR."""

    begun_ms: float
    server: str
    timings: Mapping[str, float]

    @property
    def connecting(self) -> tuple[float, float] | None:
        """The start and end of opening a connection; None if it opened none."""
        length = self.timings.get("connect", -1)
        if length <= 0:
            return None
        start = self.begun_ms + max(0, self.timings.get("blocked", 0)) + max(0, self.timings.get("dns", 0))
        return start, start + length


def page_phases(entries: Iterable[HarEntry]) -> Mapping[str, float | None]:
    """Sums each phase over the page's requests that went to a server; None if no request has it.

    HAR counts the time that a request waits for a connection as blocked. If the request opens no connection itself, the
    part of this time in which another request opens a connection to the same server is `blocked_connect`, and the rest
    is `blocked`, in whole milliseconds of the HAR. Over HTTP/2 and HTTP/3 this is most of the wait for handshakes.
    """
    requests = [_request(entry) for entry in entries if not entry.from_cache]
    times: dict[str, list[float]] = {phase: [] for phase in PHASES}
    for request in requests:
        for phase in PHASES:
            if phase != CONNECTING and (value := request.timings.get(phase, -1)) >= 0:
                times[phase].append(value)
    waited = [_waited(request, requests) for request in requests if request.timings.get("blocked", -1) >= 0]
    sums: dict[str, float | None] = {phase: sum(values) if values else None for phase, values in times.items()}
    if sums["blocked"] is not None:
        sums[CONNECTING] = sum(waited)
        sums["blocked"] = max(0.0, sums["blocked"] - sum(waited))
    return sums


def _request(entry: HarEntry) -> _Request:
    return _Request(entry.begun_ms, entry.server_address or urlsplit(entry.url).netloc, entry.timings)


def _waited(request: _Request, requests: Sequence[_Request]) -> float:
    """The part of its blocked time in which other requests opened connections to its server."""
    if request.connecting is not None:
        return 0.0
    start, end = request.begun_ms, request.begun_ms + request.timings["blocked"]
    connecting = (other.connecting for other in requests if other is not request and other.server == request.server)
    return _covered([period for period in connecting if period is not None], start, end)


def _covered(periods: Iterable[tuple[float, float]], start: float, end: float) -> float:
    """The part of the time from start to end that at least one of the periods covers."""
    total, reached = 0.0, start
    for begun, ended in sorted(periods):
        first, last = max(begun, reached), min(ended, end)
        if last > first:
            total += last - first
            reached = last
    return total
