"""Opens a page in a browser context with the settings of captures: language, time zone, user agent, page seed."""

from contextlib import suppress
from typing import Any

from playwright.sync_api import Browser, Error, Page, Worker


def open_pinned(browser: Browser, script: str, **options: Any) -> Page:
    """Opens a page in a new context. `script` (pinning.py) runs first in its documents and dedicated workers.

    Service workers are blocked. `options` are further options of the context.
    """
    context = browser.new_context(
        service_workers="block",
        locale="en-US",
        timezone_id="UTC",
        user_agent=_user_agent(browser),
        **options,
    )
    context.add_init_script(script)
    page = context.new_page()
    page.on("worker", lambda worker: _pin(worker, script))
    return page


def _user_agent(browser: Browser) -> str:
    """The user agent of a Chromium with a window; pages put it into URLs, and some reject others."""
    page = browser.new_page()
    name: str = page.evaluate("navigator.userAgent")
    page.close()
    return name.replace("HeadlessChrome", "Chrome")


def _pin(worker: Worker, script: str) -> None:
    with suppress(Error):  # it has ended already
        worker.evaluate(script)
