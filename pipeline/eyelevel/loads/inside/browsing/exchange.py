"""A request of the page with its response, and the lists made of them. Plain values."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from eyelevel_core.model.response import Response

# HTTP's first status of an error
FIRST_ERROR = 400
# the browser driver's names, and ours
PROTOCOL_NAMES = {"HTTP/2.0": "h2", "HTTP/1.1": "http/1.1"}


@dataclass(frozen=True)
class Exchange:
    """Times are in milliseconds: `begun_ms` and `ended_ms` since navigation start, `timing` since the request's start.

    `asked_ms` is when the page asked: for what a redirect led to, when the first request of its chain began.
    """

    url: str
    method: str
    resource_type: str
    begun_ms: float
    asked_ms: float
    request_headers: Sequence[tuple[str, str]]
    timing: dict[str, float]
    status: int | None = None
    status_text: str = ""
    protocol: str | None = None
    response_headers: Sequence[tuple[str, str]] = ()
    encoded_body_bytes: int | None = None
    server_address: str | None = None
    failure: str | None = None
    ended_ms: float | None = None

    @property
    def from_cache(self) -> bool:
        """Answered without a request of its own on the wire: nothing was sent."""
        return self.status is not None and self.timing.get("requestStart", -1) < 0


def protocol_name(driver_name: str) -> str:
    return PROTOCOL_NAMES.get(driver_name, driver_name)


def began_before_load(exchange: Exchange, load_ms: float | None) -> bool | None:
    return None if load_ms is None else exchange.asked_ms < load_ms


def wrong_protocols(exchanges: Iterable[Exchange], expected: Collection[str]) -> list[Exchange]:
    """Responses from the wire that came over a protocol that is not the stack's."""
    return [x for x in exchanges if x.status is not None and not x.from_cache and x.protocol not in expected]


def network_changed(exchanges: Iterable[Exchange]) -> bool:
    return any("ERR_NETWORK_CHANGED" in (x.failure or "") for x in exchanges)


def finished_gets(exchanges: Iterable[Exchange]) -> list[tuple[float, float]]:
    """Start and end of each GET request that was answered whole, and not by an error, since navigation start."""
    return [
        (x.begun_ms, x.begun_ms + end_ms)
        for x in exchanges
        if x.method == "GET" and x.failure is None and x.status is not None and x.status < FIRST_ERROR
        if (end_ms := x.timing.get("responseEnd", -1)) >= 0
    ]


def responses(exchanges: Iterable[Exchange], load_ms: float | None) -> list[Response]:
    """The list of responses.json, in the order in which the requests began."""
    return [
        Response(
            url=x.url,
            method=x.method,
            resource_type=x.resource_type,
            protocol=x.protocol,
            status=x.status,
            encoded_body_bytes=x.encoded_body_bytes,
            begun_ms=round(x.begun_ms, 3),
            ended_ms=None if x.ended_ms is None else round(x.ended_ms, 3),
            before_load=began_before_load(x, load_ms),
            from_cache=x.from_cache,
            failure=x.failure,
        )
        for x in sorted(exchanges, key=lambda x: x.begun_ms)
    ]
