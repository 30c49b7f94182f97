"""What a document tells of its style sheets, and of the boxes of what is missed, in a real Chromium."""

import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, sync_playwright

from eyelevel.loads.inside.browsing.elements import OF_DOCUMENT, REMEMBER
from eyelevel.loads.inside.observed import Document

pytestmark = pytest.mark.browser

URL = "http://garden.example/"


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-background-networking"]
        )
        yield browser.new_page(viewport={"width": 1280, "height": 720})
        browser.close()


def opened(page: Page, html: str) -> dict[str, Any]:
    """What a page of this markup tells of itself, where all else that it requests is missed."""
    page.unroute_all()
    page.route(
        f"{URL}**",
        lambda route: (
            route.fulfill(body=html, content_type="text/html")
            if route.request.url == URL
            else route.fulfill(status=404)
        ),
    )
    page.goto(URL)
    found: dict[str, Any] = page.evaluate(OF_DOCUMENT)
    assert {"url", "box", *found} == Document.__annotations__.keys()
    return found


def test_missed_style_sheets_that_the_page_does_not_use_are_told_apart(page: Page) -> None:
    html = """<!doctype html><title>media</title>
    <link rel="stylesheet" href="all.css"><link rel="stylesheet" href="screen.css" media="screen">
    <link rel="stylesheet" href="print.css" media="print">
    <link rel="stylesheet" href="narrow.css" media="(max-width: 400px)">
    <link rel="stylesheet" href="wide.css" media="(min-width: 400px)">
    <link rel="stylesheet" href="late.css" media="print" onload="this.media='all'">
    <link rel="stylesheet" href="both.css" media="print"><link rel="stylesheet" href="both.css">
    <link rel="alternate stylesheet" href="dark.css" title="dark"><link rel="stylesheet" href="off.css" disabled>
    <link rel="preload" as="style" href="preload.css">
    <link rel="icon" href="icon.png" media="print">"""
    unused = ("print.css", "narrow.css", "dark.css", "off.css")
    assert opened(page, html)["unused"] == [f"{URL}{name}" for name in unused]


BOXES = """<!doctype html><body style="margin: 0; width: 1280px; font: 10px/10px sans-serif">
<style>* { position: absolute } img { max-width: 100%; height: auto }</style>
<p style="background: url(hero.png) no-repeat; margin: 0; width: 1280px; height: 250px">text</p>
<p style="background: url(divider.png) no-repeat 100% 0; margin: 0; width: 413px; height: 102px">text</p>
<img src="ratio.png" width="600" height="300" style="left: 20px; top: 40px">
<img src="wide.png" width="600" height="300" style="left: 20px; top: 40px; width: 300px">
<img src="high.png" width="600" height="300" style="left: 20px; top: 40px; height: 50px; width: auto">
<img src="cut.png" width="600" height="300" style="left: 1080px; top: 620px">
<div style="width: 100px; height: 80px"><img src="narrow.png" width="600" height="300"></div>
<div style="width: 500px; height: 300px; overflow: hidden">
<img src="slide.png" width="500" height="300" style="left: 500px"></div>
<img src="unknown.png" style="left: 20px; top: 300px">
"""


def test_what_is_missed_has_the_box_that_its_page_gives_it(page: Page) -> None:
    found = {element["url"].removeprefix(URL): element["box"] for element in opened(page, BOXES)["elements"]}
    assert found == {
        "hero.png": [0, 0, 1280, 250],
        "divider.png": [413 - 102, 0, 102, 102],
        "ratio.png": [20, 40, 600, 300],
        "wide.png": [20, 40, 300, 150],
        "high.png": [20, 40, 100, 50],
        "cut.png": [1080, 620, 200, 100],
        "narrow.png": [0, 0, 100, 50],
        "slide.png": [500, 0, 0, 300],
        "unknown.png": None,
    }


LOST = """<!doctype html><body style="margin: 0"><style>img { position: absolute; left: 10px; top: 20px }</style>
<img src="other.jpg" width="600" height="300" onerror="this.onerror = null; this.src = 'data:image/gif;base64,R0lG'">
<img src="hidden?id=1" width="500" height="100" onerror="this.style.display = 'none'">
<img src="gone.jpg" width="400" height="100" onerror="this.remove()">
<img src="swapped" style="width: 30px; height: 20px" onerror="this.onerror = null; this.src = 'default.png'">
<img src="pixel?t=1" onerror="this.remove()">
<div style="display: none"><img src="never.jpg" width="400" height="100" onerror="this.remove()"></div>"""


REFUSED = """<!doctype html><script src="missed.js"></script><link rel="stylesheet" href="missed.css">
<script src="digest.js" integrity="sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="></script>
<script src="good.js"></script><link rel="icon" href="missed.ico"><img src="missed.png">"""


def test_scripts_and_style_sheets_that_the_browser_refuses_are_reported(page: Page) -> None:
    context = page.context.browser.new_context()  # type: ignore[union-attr]
    context.add_init_script(REMEMBER)
    fresh = context.new_page()
    fresh.route(URL, lambda route: route.fulfill(body=REFUSED, content_type="text/html"))
    fresh.route(f"{URL}missed.*", lambda route: route.fulfill(status=404))
    for name in ("digest.js", "good.js"):
        fresh.route(f"{URL}{name}", lambda route: route.fulfill(body="1", content_type="text/javascript"))
    fresh.goto(URL)
    found = fresh.evaluate(OF_DOCUMENT)
    context.close()
    assert sorted(found["refused"]) == [f"{URL}{name}" for name in ("digest.js", "missed.css", "missed.js")]


def test_an_image_that_its_page_replaces_hides_or_removes_when_it_fails_has_the_box_that_it_had(page: Page) -> None:
    context = page.context.browser.new_context(viewport={"width": 1280, "height": 720})  # type: ignore[union-attr]
    context.add_init_script(REMEMBER)
    found = opened(context.new_page(), LOST)["elements"]
    context.close()
    boxes = {element["url"].removeprefix(URL): element["box"] for element in found}
    assert boxes == {
        "other.jpg": [10, 20, 600, 300],
        "hidden?id=1": [10, 20, 500, 100],
        "gone.jpg": [10, 20, 400, 100],
        "swapped": [10, 20, 30, 20],
        "default.png": [10, 20, 30, 20],
        "never.jpg": [0, 0, 0, 0],
    }
