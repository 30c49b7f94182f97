"""Visits a page in a fresh Chromium through a proxy, until its network is quiet."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from playwright.sync_api import Error, Page, sync_playwright

from eyelevel.emulation import ONE_PROCESS, as_filmed, commands
from eyelevel.errors import UnreachableError
from eyelevel.own_traffic import OWN_TRAFFIC_OFF
from eyelevel.pinned_page import open_pinned
from eyelevel.record.quiet import Network
from eyelevel_core.model.device import DESKTOP, Device, Viewport

SCROLL_PAUSE_MS = 400
# Chromium asks for updates of its components even with --disable-component-update; nobody listens there, so that
# nothing is recorded
NO_UPDATES = "--component-updater=url-source=http://127.0.0.1:9/"


@dataclass(frozen=True)
class Visited:
    """A visited page: `screenshot` is a PNG of the viewport once it was quiet, `requested` are its requests' URLs."""

    title: str
    screenshot: bytes
    requested: tuple[str, ...]


def visit(
    url: str,
    *,
    executable: str,
    port: int,
    viewport: Viewport,
    limit_s: float,
    script: str,
    device: Device = DESKTOP,
) -> Visited:
    """Loads the page, takes its screenshot, and scrolls through it once so that lazy content loads.

    `script` runs in every document before its own scripts. Raises UnreachableError if the page does not load, is
    answered with an error status, or closes or reloads before its screenshot. Later, this is not an error.
    """
    with _page(executable, port, viewport, script, device) as page:
        requested: dict[str, None] = {}
        network = Network(page)
        page.on("request", lambda request: requested.setdefault(request.url))
        try:
            response = page.goto(url, wait_until="load", timeout=limit_s * 1000)
        except Error as error:
            raise UnreachableError(f"{url} could not be loaded: {_first_line(error)}.") from error
        if response is None or not response.ok:
            raise UnreachableError(f"{url} was answered with status {response.status if response else 'unknown'}.")
        network.wait()
        try:
            title, screenshot = page.title(), as_filmed(page.screenshot(), device, viewport)
        except Error as error:
            raise UnreachableError(f"No screenshot could be taken of {url}: {_first_line(error)}.") from error
        with suppress(Error):  # it reloads, opens another page or crashes: what it requested is recorded
            for part in range(1, 5):
                page.evaluate("part => scrollTo(0, document.documentElement.scrollHeight * part / 4)", part)
                page.wait_for_timeout(SCROLL_PAUSE_MS)
        network.wait()
        return Visited(title, screenshot, tuple(filter(_is_of_the_web, requested)))


@contextmanager
def _page(executable: str, port: int, viewport: Viewport, script: str, device: Device) -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable,
            chromium_sandbox=os.geteuid() != 0,
            # no --disable-features, which would replace the driver's, such as that http is not turned into https
            args=[
                *OWN_TRAFFIC_OFF,
                f"--proxy-server=http://127.0.0.1:{port}",
                "--proxy-bypass-list=<-loopback>",
                "--disable-quic",
                NO_UPDATES,
                *([] if device == DESKTOP else [ONE_PROCESS]),
            ],
        )
        try:
            size = {"width": viewport.width_px, "height": viewport.height_px}
            # the proxy uses its own certificates
            page = open_pinned(browser, script, viewport=size, ignore_https_errors=True, **_options(device))
            session = page.context.new_cdp_session(page)
            for method, parameters in commands(device, viewport, version=browser.version):
                session.send(method, parameters)
            yield page
        finally:
            browser.close()


def _options(device: Device) -> dict[str, object]:
    """Options of the driver, which would reset them for each page if they were set otherwise."""
    if device == DESKTOP:
        return {}
    return {"device_scale_factor": device.pixel_ratio, "is_mobile": True, "has_touch": True}


def _first_line(error: Error) -> str:
    return error.message.partition("\n")[0].removesuffix(".")


def _is_of_the_web(url: str) -> bool:
    return url.startswith(("http://", "https://"))
