"""What a document tells of its style sheets, in a real Chromium."""

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, sync_playwright

from eyelevel.capture.inside.elements import NOTHING, OF_DOCUMENT

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


def test_missed_style_sheets_of_other_media_are_told_apart_from_those_of_the_screen(page: Page) -> None:
    html = """<!doctype html><title>media</title>
    <link rel="stylesheet" href="all.css"><link rel="stylesheet" href="screen.css" media="screen">
    <link rel="stylesheet" href="print.css" media="print">
    <link rel="stylesheet" href="narrow.css" media="(max-width: 400px)">
    <link rel="stylesheet" href="wide.css" media="(min-width: 400px)">
    <link rel="stylesheet" href="late.css" media="print" onload="this.media='all'">
    <link rel="stylesheet" href="both.css" media="print"><link rel="stylesheet" href="both.css">
    <link rel="icon" href="icon.png" media="print">"""
    page.route(
        f"{URL}**",
        lambda route: (
            route.fulfill(body=html, content_type="text/html")
            if route.request.url == URL
            else route.fulfill(status=404)
        ),
    )
    page.goto(URL)
    found = page.evaluate(OF_DOCUMENT)
    assert sorted(found) == sorted(NOTHING)
    assert found["other_media"] == [f"{URL}print.css", f"{URL}narrow.css"]
