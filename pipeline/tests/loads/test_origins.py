"""A document tells its time origin before its own scripts run, in a real Chromium, and leaves no trace."""

import asyncio
import shutil
from time import time

import pytest
from playwright.async_api import async_playwright

from eyelevel.loads.inside.browsing.origins import TELL, Origins
from eyelevel.loads.inside.browsing.page_script import page_script

pytestmark = pytest.mark.browser

URL = "http://garden.example/"
# of each document: what it sees of the function, and its time origin; it reloads at once, once
RELOADS = """<!doctype html><iframe src="about:blank"></iframe><script>
  const seen = JSON.parse(localStorage.seen ?? "[]");
  localStorage.seen = JSON.stringify([...seen, [typeof globalThis["%s"], performance.timeOrigin]]);
  if (seen.length < 1) location.reload(); else document.title = "done";
</script>"""


async def first_origin() -> tuple[Origins, list[tuple[str, float]]]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        context = await browser.new_context()
        await context.add_init_script(page_script(seed=5, start_ms=1_519_128_470_000))
        page, origins = await context.new_page(), Origins()
        await context.route("**/*", lambda route: route.fulfill(body=RELOADS % TELL, content_type="text/html"))
        await origins.watch(context, page)
        assert origins.first is None
        await page.goto(URL, wait_until="commit")
        await page.wait_for_function("document.title === 'done'")
        seen = await page.evaluate("JSON.parse(localStorage.seen)")
        await browser.close()
        return origins, seen


def test_the_first_document_reports_its_origin_though_it_reloads_at_once_and_no_document_sees_how() -> None:
    before_ms = time() * 1000
    origins, seen = asyncio.run(first_origin())
    (first, second) = seen
    assert (first[0], second[0]) == ("undefined", "undefined")
    assert origins.first is not None
    zero_ms, first_byte_ms = origins.first
    assert zero_ms == first[1] < second[1]
    assert before_ms - 1 <= zero_ms <= time() * 1000
    assert 0 <= first_byte_ms < second[1] - first[1]
