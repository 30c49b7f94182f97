"""Shared by browser tests: one Chromium, and studies over the tiny batch."""

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urljoin

import pytest
from platform_process import Platform
from playwright.sync_api import Browser, BrowserContext, Playwright, expect, sync_playwright

from .studies import shortened

# machines are busy
PATIENCE_MS = 30_000
# room for two pages beside each other at half of their size, and for one at its own
WIDE = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}

Publish = Callable[..., dict[str, Any]]
NewContext = Callable[..., BrowserContext]


@pytest.fixture(scope="package")
def publish(platform: Platform, tmp_path_factory: pytest.TempPathFactory) -> Publish:
    """Publishes a short study of its own for a test; the study, with `link` for participants.

    `batch="demo"` in `more` asks about the sample batch instead of the tiny one; the fixture `real_clips` pushes it.
    """

    def _publish(name: str, *, rate: int, compare: int, **more: Any) -> dict[str, Any]:
        folder = tmp_path_factory.mktemp("study")
        file = shortened(folder, name=name, rate=rate, compare=compare, **more)
        study = platform.publish_file(file)
        return study | {"link": urljoin(platform.url, study["fieldings"][0]["participant_url"])}

    return _publish


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="package")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    browser = playwright.chromium.launch(
        executable_path=shutil.which("chromium"),
        args=["--no-sandbox"] if os.geteuid() == 0 else [],
    )
    yield browser
    browser.close()


@pytest.fixture
def new_context(chromium: Browser) -> Iterator[NewContext]:
    """A fresh browser profile; whatever a page throws or logs as an error fails the test."""
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def _new(**options: Any) -> BrowserContext:
        context = chromium.new_context(**{"viewport": WIDE, "locale": "en-GB", **options})
        context.set_default_timeout(PATIENCE_MS)
        context.on("weberror", lambda fault: faults.append(str(fault.error)))
        contexts.append(context)
        return context

    yield _new
    for context in contexts:
        context.close()
    assert faults == []
