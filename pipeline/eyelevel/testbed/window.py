"""A Chromium inside the testbed's client namespace that shows the replayed page, or takes a screenshot of it.

python -m eyelevel.testbed.window JSON, with the fields that browse.py gives.
"""

import json
import os
import sys
from contextlib import suppress
from dataclasses import dataclass

from playwright.sync_api import Browser, Error, Page, sync_playwright

from eyelevel.errors import Exit
from eyelevel.own_traffic import OWN_TRAFFIC_OFF
from eyelevel.pinned_page import open_pinned
from eyelevel.pinning import pinning_script
from eyelevel.ways import WAYS, discoverable

WIDTH_PX, HEIGHT_PX = 1280, 720
SIZE = {"width": WIDTH_PX, "height": HEIGHT_PX}
LOAD_MS, QUIET_MS = 300_000, 30_000


@dataclass(frozen=True)
class Asked:
    """The request: `screenshot` is the path of the picture, or None for a window; `way` is a key of WAYS."""

    chromium: str
    way: str
    seed: int
    start_ms: int
    screenshot: str | None


def main() -> int:
    asked = Asked(**json.loads(sys.argv[1]))
    url = os.environ["EYELEVEL_START_URL"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=asked.chromium,
            headless=asked.screenshot is not None,
            chromium_sandbox=os.geteuid() != 0,
            args=browser_arguments(asked.way),
        )
        page = _page(browser, asked)
        try:
            page.goto(url, timeout=LOAD_MS)
        except Error as error:
            sys.stderr.write(f"eyelevel: {url} did not load: {error.message.splitlines()[0]}.\n")
            return Exit.UNREACHABLE
        if asked.screenshot is None:
            page.wait_for_event("close", timeout=0)
        else:
            with suppress(Error):  # a page that never stops sending requests is shown as it is by then
                page.wait_for_load_state("networkidle", timeout=QUIET_MS)
            page.screenshot(path=asked.screenshot)
        browser.close()
    return Exit.OK


def browser_arguments(way: str) -> list[str]:
    rules = os.environ["EYELEVEL_RESOLVER_RULES"]
    return [
        *OWN_TRAFFIC_OFF,
        *WAYS[way].arguments,
        *([discoverable(rules)] if way == "alt-svc" else []),
        f"--host-resolver-rules={rules}",
        f"--ignore-certificate-errors-spki-list={os.environ['EYELEVEL_SPKI']}",
        f"--window-size={WIDTH_PX},{HEIGHT_PX}",
    ]


def _page(browser: Browser, asked: Asked) -> Page:
    """In a window, the page is as large as the window is made; a picture has a fixed size."""
    script = pinning_script(seed=asked.seed, start_ms=asked.start_ms)
    if asked.screenshot is None:
        return open_pinned(browser, script, no_viewport=True)
    return open_pinned(browser, script, viewport=SIZE)


if __name__ == "__main__":
    try:
        status = main()
    except KeyboardInterrupt:
        status = Exit.INTERRUPTED
    sys.exit(status)
