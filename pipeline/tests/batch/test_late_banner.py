"""The third fixture website: readable at once, but its metrics wait for a banner that pushes it down."""

import gzip
import io
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, Route, sync_playwright
from warcio.archiveiterator import ArchiveIterator

from eyelevel.measure.metrics import measure
from eyelevel.video import Frame

RECORDING = Path(__file__).resolve().parents[3] / "fixtures" / "harbour.warc.gz"
START = "https://www.harbourpost.example/"
SIZE = {"width": 1280, "height": 720}
BIDDING_MS = 2000
# `window.bidding` resolves once the page has set a timer of that length
BIDDING = f"""window.bidding = new Promise(begun => {{
  const timer = window.setTimeout;
  window.setTimeout = (...given) => {{
    const id = timer(...given);
    if (given[1] === {BIDDING_MS}) begun();
    return id;
  }};
}});"""
LOAD_MS, BANNER_MS = 300, 300 + BIDDING_MS


def recorded() -> Iterator[tuple[str, dict[str, str], bytes]]:
    with RECORDING.open("rb") as file:
        for record in ArchiveIterator(file):
            if record.rec_type == "response":
                headers = {name.lower(): value for name, value in record.http_headers.headers}
                body = record.raw_stream.read()
                if headers.pop("content-encoding", "") == "gzip":
                    body = gzip.decompress(body)
                headers.pop("content-length")
                yield record.rec_headers["WARC-Target-URI"], headers, body


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    """A page that gets every answer from the recording, and whose timers wait to be told."""
    answers = {url: (headers, body) for url, headers, body in recorded()}

    def answer(route: Route) -> None:
        headers, body = answers[route.request.url]
        route.fulfill(headers=headers, body=body)

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport=SIZE)  # type: ignore[arg-type]
        page.route("**/*", answer)
        page.clock.install(time=0)
        page.add_init_script(BIDDING)
        page.clock.pause_at(3600)  # s; a moment that has not gone by yet, however slow the machine is
        yield page
        browser.close()


def look(page: Page) -> Frame:
    return np.asarray(Image.open(io.BytesIO(page.screenshot())).convert("RGB"))


def await_banner(page: Page) -> None:
    """Let the bidding's time pass, once the page waits for it."""
    page.evaluate("() => window.bidding")
    page.clock.run_for(BIDDING_MS)
    page.wait_for_selector(".banner")


@pytest.mark.browser
def test_the_page_can_be_read_long_before_vc85_and_lvc(page: Page) -> None:
    white = np.full((720, 1280, 3), 255, np.uint8)
    with page.expect_response("**/auction.json"):
        page.goto(START, wait_until="load")
    assert page.locator("h2").first.is_visible()
    top = page.locator("h1").bounding_box()
    at_load = look(page)
    assert page.locator(".banner").count() == 0
    await_banner(page)
    pushed = look(page)
    moved = page.locator("h1").bounding_box()
    assert top is not None
    assert moved is not None
    assert moved["y"] - top["y"] == 280
    found = measure([(0, white), (LOAD_MS, at_load), (BANNER_MS, pushed)])
    assert (found.fvc_ms, found.vc85_ms, found.lvc_ms) == (LOAD_MS, BANNER_MS, BANNER_MS)
    assert found.progress[1][1] < 30
    assert found.si_ms is not None
    assert found.si_ms > 1500
