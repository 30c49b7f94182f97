"""A request of the page with its response, and lists made from them. Plain values."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from eyelevel_core.model.response import Response

# HTTP's first status of an error
FIRST_ERROR = 400
# the browser driver's names, and ours
PROTOCOL_NAMES = {"HTTP/2.0": "h2", "HTTP/1.1": "http/1.1"}


@dataclass(frozen=True)
class Exchange:
    """A request with its response; times are in ms since navigation start, in `timing` since the request's start.

    `asked_ms` is when the page made the request: after redirects, the start of the first request of the chain.
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
        """Returns whether it was answered without sending a request on the wire."""
        return self.status is not None and self.timing.get("requestStart", -1) < 0


def protocol_name(driver_name: str) -> str:
    return PROTOCOL_NAMES.get(driver_name, driver_name)


def began_before_load(exchange: Exchange, load_ms: float | None) -> bool | None:
    return None if load_ms is None else exchange.asked_ms < load_ms


def wrong_protocols(exchanges: Iterable[Exchange], expected: Collection[str]) -> list[Exchange]:
    """Returns responses from the wire over another protocol than the stack's."""
    return [x for x in exchanges if x.status is not None and not x.from_cache and x.protocol not in expected]


def network_changed(exchanges: Iterable[Exchange]) -> bool:
    return any("ERR_NETWORK_CHANGED" in (x.failure or "") for x in exchanges)


def finished_gets(exchanges: Iterable[Exchange]) -> list[tuple[float, float]]:
    """Returns start and end of each completely and successfully answered GET request, since navigation start."""
    return [
        (x.begun_ms, x.begun_ms + end_ms)
        for x in exchanges
        if x.method == "GET" and x.failure is None and x.status is not None and x.status < FIRST_ERROR
        if (end_ms := x.timing.get("responseEnd", -1)) >= 0
    ]


def responses(exchanges: Iterable[Exchange], load_ms: float | None) -> list[Response]:
    """Returns the list for responses.json, in the order in which requests began."""
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
