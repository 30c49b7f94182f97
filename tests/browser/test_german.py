"""Tests the choice of language; `test_screenshots.py` walks a whole session in each language."""

import pytest
import yaml
from playwright.sync_api import expect

from .conftest import NewContext, Publish
from .studies import DEMO

pytestmark = [pytest.mark.browser, pytest.mark.services]

CONSENT = yaml.safe_load(DEMO.read_text(encoding="utf-8"))["consent"]["text"]


def test_the_language_can_be_chosen_before_the_session(publish: Publish, new_context: NewContext) -> None:
    study = publish("chosen", rate=1, compare=1)
    page = new_context(locale="en-GB").new_page()
    page.goto(study["link"])
    expect(page.get_by_role("button", name="Begin")).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "en"
    for paragraph in CONSENT["en"].splitlines():
        expect(page.get_by_role("paragraph").and_(page.get_by_text(paragraph, exact=True))).to_be_visible()
    page.get_by_role("button", name="Deutsch").click()
    expect(page.get_by_role("button", name="Beginnen")).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "de"
    for paragraph in CONSENT["de"].splitlines():
        expect(page.get_by_role("paragraph").and_(page.get_by_text(paragraph, exact=True))).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Beginnen")).to_be_visible()
