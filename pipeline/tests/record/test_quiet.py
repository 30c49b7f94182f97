"""When the screenshot of a recording is taken, with a real Chromium."""

import shutil
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Route, sync_playwright

from eyelevel.record.quiet import Network

pytestmark = pytest.mark.browser

URL = "http://garden.example/"


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-background-networking"]
        )
        yield browser.new_page()
        browser.close()


def load(page: Page, script: str) -> Network:
    """A page that runs this script; /never is never answered."""

    def answer(route: Route) -> None:
        if not route.request.url.endswith("never"):
            route.fulfill(body=f"<!doctype html><script>{script}</script>", content_type="text/html")

    page.route(f"{URL}**", answer)
    network = Network(page)
    page.goto(URL)
    return network


def test_what_a_page_requests_within_three_seconds_of_quiet_is_waited_for(page: Page) -> None:
    network = load(page, "setTimeout(() => fetch('/late').then(() => { document.title = 'late'; }), 1500)")
    began_s = time.monotonic()
    network.wait()
    assert page.title() == "late"
    assert 4 < time.monotonic() - began_s < 10


def test_a_page_that_never_stops_is_waited_for_until_the_limit(page: Page) -> None:
    network = load(page, "fetch('/never')")
    began_s = time.monotonic()
    network.wait(limit_ms=3500)
    assert 3.5 <= time.monotonic() - began_s < 8
