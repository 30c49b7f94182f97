"""Visits a page in a fresh Chromium through a proxy, until its network is quiet."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Error, Page, sync_playwright

from eyelevel.errors import UnreachableError

QUIET_LIMIT_MS = 30_000
SCROLL_PAUSE_MS = 400


def visit(url: str, *, executable: str, port: int, width_px: int, height_px: int, limit_s: float) -> str:
    """Load the page, scroll through it once so that lazy content loads, and return its title.

    Raise UnreachableError where the page does not load or is answered with an error status.
    """
    with _page(executable, port, width_px, height_px) as page:
        try:
            response = page.goto(url, wait_until="load", timeout=limit_s * 1000)
        except Error as error:
            raise UnreachableError(f"{url} could not be loaded: {error.message.splitlines()[0]}.") from error
        if response is None or not response.ok:  # the proxy answers 502 for a server that does not answer
            raise UnreachableError(f"{url} was answered with status {response.status if response else 'unknown'}.")
        _be_quiet(page)
        for part in range(1, 5):
            page.evaluate("part => scrollTo(0, document.documentElement.scrollHeight * part / 4)", part)
            page.wait_for_timeout(SCROLL_PAUSE_MS)
        _be_quiet(page)
        return page.title()


@contextmanager
def _page(executable: str, port: int, width_px: int, height_px: int) -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable,
            chromium_sandbox=os.geteuid() != 0,
            args=[f"--proxy-server=http://127.0.0.1:{port}", "--proxy-bypass-list=<-loopback>", "--disable-quic"],
        )
        try:
            # the proxy uses its own certificates
            context = browser.new_context(
                viewport={"width": width_px, "height": height_px}, ignore_https_errors=True, service_workers="block"
            )
            yield context.new_page()
        finally:
            browser.close()


def _be_quiet(page: Page) -> None:
    try:
        page.wait_for_load_state("networkidle", timeout=QUIET_LIMIT_MS)
    except Error:
        return  # a page that never stops sending requests is recorded up to here
