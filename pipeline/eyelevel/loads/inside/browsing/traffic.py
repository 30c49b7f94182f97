"""Records a page's requests while it loads, with those of cross-site frames and workers, without Chromium's own.

The driver reports the requests of the page, its frames and its workers by the DevTools protocol. Nothing is intercepted
and no body is fetched; facts that need a query to the browser (protocol, sizes) are queried after the page has settled.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any, cast

from playwright.async_api import BrowserContext, Error, Request

from eyelevel.loads.inside.browsing.exchange import Exchange, protocol_name
from eyelevel.loads.inside.browsing.settle import Settling
from eyelevel.motion.requests import key_of
from eyelevel.quiet import counts


class Traffic:
    """The requests of a page: reports their starts and ends to `settling`, and stores them for `exchanges`."""

    def __init__(
        self,
        context: BrowserContext,
        settling: Settling,
        not_painting: Collection[str],
        now_ms: Callable[[], float],
    ) -> None:
        """`not_painting` are the keys of requests that need not be waited for, learned by the probe.

        `now_ms` is the film's clock.
        """
        self._settling = settling
        self._now_ms = now_ms
        self._not_painting = frozenset(not_painting)
        self._begun: list[tuple[Request, float]] = []
        self._ended: dict[int, float] = {}
        self._context = context
        self._listeners: dict[Any, Callable[[Request], None]] = {
            "request": self._on_request,
            "requestfinished": self._on_end,
            "requestfailed": self._on_end,
        }
        for event, listener in self._listeners.items():
            context.on(event, listener)

    def stop(self) -> None:
        """Removes the listeners."""
        for event, listener in self._listeners.items():
            self._context.remove_listener(event, listener)

    def _on_request(self, request: Request) -> None:
        seen_ms = self._now_ms()
        self._begun.append((request, seen_ms))
        if counts(request.resource_type, request.url) and key_of(request.url) not in self._not_painting:
            self._settling.request_began(id(request), seen_ms)

    def _on_end(self, request: Request) -> None:
        self._ended[id(request)] = self._now_ms()
        self._settling.request_ended(id(request), self._ended[id(request)])

    def requests(self) -> list[Request]:
        """Returns all http(s) requests so far, in the order of `exchanges`."""
        return [request for request, _ in self._begun if request.url.startswith(("http:", "https:"))]

    async def exchanges(self, zero_ms: float) -> list[Exchange]:
        """Returns all http(s) requests so far; `zero_ms` is navigation start in milliseconds since 1970."""
        begun_ms = {id(request): _begun_ms(request, seen_ms) - zero_ms for request, seen_ms in self._begun}
        asked = (self._exchange(request, begun_ms, zero_ms) for request in self.requests())
        return list(await asyncio.gather(*asked))

    async def _exchange(self, request: Request, begun_ms: dict[int, float], zero_ms: float) -> Exchange:
        ended_ms = self._ended.get(id(request))
        timings = cast("Mapping[str, float]", request.timing)
        asked = Exchange(
            url=request.url,
            method=request.method,
            resource_type=request.resource_type,
            begun_ms=begun_ms[id(request)],
            asked_ms=begun_ms.get(id(first_of_chain(request)), begun_ms[id(request)]),
            request_headers=tuple(request.headers.items()),
            timing={name: ms for name, ms in timings.items() if name != "startTime"},
            failure=request.failure,
            ended_ms=None if ended_ms is None else ended_ms - zero_ms,
        )
        try:
            return await self._answered(request, asked)
        except Error as error:  # the requesting frame or worker has ended, so the browser no longer has the facts
            return replace(asked, failure=asked.failure or error.message.splitlines()[0])

    async def _answered(self, request: Request, asked: Exchange) -> Exchange:
        ended = id(request) in self._ended
        # a request without an end would make the driver wait for its response
        response = await request.response() if ended else request.existing_response
        if response is None:
            return asked
        address = await response.server_addr() if ended else None
        # servers always send it; the driver's own sizes are estimates from the bytes of the stream
        length = response.headers.get("content-length", "")
        has_size = ended and length.isdigit() and request.failure is None
        return replace(
            asked,
            status=response.status,
            status_text=response.status_text,
            response_headers=tuple(response.headers.items()),
            protocol=protocol_name(await response.http_version()),
            server_address=None if address is None else address["ipAddress"],
            encoded_body_bytes=int(length) if has_size else None,
        )


def _begun_ms(request: Request, seen_ms: float) -> float:
    """The start of a request; before its answer, the driver has no start time, so the time of its event is used."""
    start_ms = float(request.timing.get("startTime") or 0)
    return start_ms if start_ms > 0 else seen_ms


def first_of_chain(request: Request) -> Request:
    """Returns the first request of the chain of redirects that led to this one."""
    while request.redirected_from is not None:
        request = request.redirected_from
    return request
