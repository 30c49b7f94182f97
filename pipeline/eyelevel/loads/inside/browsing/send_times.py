"""When the browser had completely sent each request, which the browser driver does not provide.

Only for requests of the page and its frames in the page's process. Requests of cross-site frames and workers are
reported to other sessions, and remain unknown.
"""

from contextlib import suppress
from dataclasses import replace
from typing import NotRequired, TypedDict
from urllib.parse import urldefrag

from playwright.async_api import BrowserContext, Error, Page

from eyelevel.loads.inside.browsing.exchange import Exchange

# Network.enable: this session needs no bodies, so the browser keeps none for it
NO_BODIES = {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0}


class Timing(TypedDict):
    """The used part of `Network.ResourceTiming`: ms since the request's start, -1 if unknown."""

    sendStart: float
    sendEnd: float


class Response(TypedDict):
    """The used part of `Network.Response` of the DevTools protocol; a response from a cache has no timing."""

    url: str
    timing: NotRequired[Timing | None]


class SendTimes:
    """The sendEnd of each response, by its URL and sendStart, which the driver provides as requestStart."""

    def __init__(self) -> None:
        self._ended: dict[tuple[str, float], float] = {}

    async def watch(self, context: BrowserContext, page: Page) -> None:
        """Listens until the page closes; if the browser refuses, send times remain unknown."""
        with suppress(Error):
            session = await context.new_cdp_session(page)
            session.on("Network.responseReceived", lambda event: self.keep(event["response"]))
            session.on("Network.requestWillBeSent", lambda event: self.keep(event.get("redirectResponse")))
            await session.send("Network.enable", NO_BODIES)

    def keep(self, response: Response | None) -> None:
        """Stores the send times of a response."""
        timing = None if response is None else response.get("timing")
        if response and timing and timing["sendStart"] >= 0:
            self._ended[response["url"], timing["sendStart"]] = timing["sendEnd"]

    def added_to(self, exchange: Exchange) -> Exchange:
        """Returns the exchange with `requestEnd` in its timing, in ms since the request's start, if it is known."""
        ended = self._ended.get((urldefrag(exchange.url).url, exchange.timing.get("requestStart", -1)))
        return exchange if ended is None else replace(exchange, timing={**exchange.timing, "requestEnd": ended})
