"""Waits until the network of a page that is recorded is quiet."""

from contextlib import suppress
from time import monotonic

from playwright.sync_api import Error, Page, Request

from eyelevel.quiet import QUIET_MS, counts

LIMIT_MS = 30_000
POLL_MS = 100


class Network:
    """The requests in flight of a page; create it before the page is loaded."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._in_flight: set[Request] = set()
        self._since_s = monotonic()
        page.on("request", self._on_begin)
        page.on("requestfinished", self._on_end)
        page.on("requestfailed", self._on_end)

    def wait(self, *, limit_ms: float = LIMIT_MS) -> None:
        """Waits until nothing has been in flight for QUIET_MS, or for the limit: some pages never stop."""
        self._since_s = max(self._since_s, begun_s := monotonic())
        with suppress(Error):  # the page has crashed or closed: what it requested is recorded
            while not self._is_quiet() and (monotonic() - begun_s) * 1000 < limit_ms:
                self._page.wait_for_timeout(POLL_MS)

    def _is_quiet(self) -> bool:
        return not self._in_flight and (monotonic() - self._since_s) * 1000 >= QUIET_MS

    def _on_begin(self, request: Request) -> None:
        if counts(request.resource_type, request.url):
            self._in_flight.add(request)

    def _on_end(self, request: Request) -> None:
        if request in self._in_flight:
            self._in_flight.remove(request)
            self._since_s = monotonic()
