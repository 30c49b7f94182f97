"""A participant who reads German."""

import pytest
import yaml
from platform_process import Platform
from playwright.sync_api import expect

from .conftest import NewContext, Publish
from .export import exported_votes
from .person import Person
from .studies import DEMO
from .words import GERMAN

pytestmark = [pytest.mark.browser, pytest.mark.services]

CONSENT = yaml.safe_load(DEMO.read_text(encoding="utf-8"))["consent"]["text"]


def test_a_browser_in_german_is_spoken_to_in_german(
    platform: Platform, publish: Publish, new_context: NewContext
) -> None:
    study = publish("german", rate=1, compare=1)
    person = Person(new_context(locale="de-DE").new_page(), GERMAN)
    person.arrive(study["link"])
    person.trial(1, 2)
    expect(person.page.get_by_role("main")).to_contain_text("Stellen Sie sich vor, Sie sind")
    person.watch(1)
    person.answer(1)
    person.trial(2, 2)
    assert person.page.evaluate("document.documentElement.lang") == "de"
    person.watch(2)
    person.answer(2)
    person.code()
    votes = exported_votes(platform, study, at_least=2)
    assert [vote["language"] for vote in votes] == ["de", "de"]


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
