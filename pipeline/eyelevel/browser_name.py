"""The user agent of a Chromium without a window, made that of captures, whose Chromium has one."""

from playwright.sync_api import Browser


def name_of_captures(browser: Browser) -> str:
    """The user agent of a Chromium with a window: pages put it into URLs, and some turn others away."""
    page = browser.new_page()
    name: str = page.evaluate("navigator.userAgent")
    page.close()
    return name.replace("HeadlessChrome", "Chrome")
