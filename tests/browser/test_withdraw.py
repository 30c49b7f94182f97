"""Tests withdrawal: browser storage is cleared, votes are erased, and the researcher is warned about exports."""

import re
from typing import Any

import httpx
import pytest
from platform_process import Platform
from playwright.sync_api import BrowserContext, Page, expect

from .conftest import NewContext, Publish
from .export import exported_votes
from .person import Person
from .staff import sign_in

pytestmark = [pytest.mark.browser, pytest.mark.services]

KEYS = "() => Object.keys(localStorage).sort()"
SESSION_KEYS = "() => Object.keys(sessionStorage)"
DATABASES = "async () => (await indexedDB.databases()).map(one => one.name)"
CACHES = "async () => await caches.keys()"
ENTRIES = """async (store) => await new Promise((resolve, reject) => {
  const opening = indexedDB.open('eyelevel');
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const all = opening.result.transaction(store).objectStore(store).getAllKeys();
    all.onsuccess = () => { opening.result.close(); resolve(all.result); };
  };
})"""


def cookies(context: BrowserContext) -> dict[str, dict[str, Any]]:
    return {cookie["name"]: dict(cookie) for cookie in context.cookies()}


def storage_of(page: Page) -> dict[str, Any]:
    """All that this page's browser keeps, but for the cookies."""
    return {
        "local": page.evaluate(KEYS),
        "session": page.evaluate(SESSION_KEYS),
        "databases": page.evaluate(DATABASES),
        "caches": page.evaluate(CACHES),
    }


def answer_all(person: Person) -> str:
    """The code, after a rating and a comparison."""
    for number in (1, 2):
        person.trial(number, 2)
        person.watch(number)
        person.answer(number)
    return person.code()


def test_a_session_keeps_one_cookie_and_three_things_and_withdrawing_clears_them(
    platform: Platform, publish: Publish, new_context: NewContext
) -> None:
    study = publish("cleared", rate=1, compare=1)
    context = new_context()
    person = Person(context.new_page())
    page = person.page
    page.goto(study["link"])
    expect(page.get_by_role("button", name=person.words.begin)).to_be_visible()
    assert (cookies(context), storage_of(page)) == ({}, {"local": [], "session": [], "databases": [], "caches": []})

    person.arrive(study["link"])
    name = f"eyelevel_session_{study['fieldings'][0]['slug']}"
    begun = cookies(context)[name]
    assert list(cookies(context)) == [name]
    assert (begun["httpOnly"], begun["sameSite"]) == (True, "Strict")
    in_session = {"local": [], "session": [], "databases": ["eyelevel"], "caches": []}
    person.trial(1, 2)
    in_trial = storage_of(page)
    # of this tab: that the instructions were read and the last sign, and for as long as it is shown the trial
    of_tab = {key.split(".")[1] for key in in_trial.pop("session")}
    assert {"instructed"} <= of_tab <= {"instructed", "sign", "trial"}
    assert in_trial | {"session": []} == in_session

    answer_all(person)
    done = cookies(context)[name]
    assert list(cookies(context)) == [name]
    assert begun["expires"] - done["expires"] > 5 * 24 * 3600
    at_end = storage_of(page)
    assert {key.split(".")[1] for key in at_end.pop("session")} <= {"instructed", "sign"}
    assert at_end | {"session": []} == in_session
    assert (page.evaluate(ENTRIES, "envelopes"), len(page.evaluate(ENTRIES, "receipts"))) == ([], 2)

    page.get_by_role("link", name="withdraw and have your answers erased").click()
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Erase permanently").click()
    expect(page.get_by_role("heading", name="Your answers are erased")).to_be_visible()
    assert cookies(context) == {}
    assert storage_of(page) == in_session
    assert page.evaluate(ENTRIES, "receipts") == []


def test_one_with_a_code_sees_the_promise_may_still_turn_back_and_is_told_what_is_left(
    platform: Platform, publish: Publish, new_context: NewContext
) -> None:
    study = publish("withdrawn", rate=1, compare=1)
    person = Person(new_context().new_page())
    person.arrive(study["link"])
    code = answer_all(person)
    exported_votes(platform, study, at_least=2)

    page = new_context().new_page()
    page.goto(f"{platform.url}/withdraw")
    field = page.get_by_label("Completion code")
    field.fill("ABCDEFGHJK")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("alert")).to_have_text("There is no session with this code. Please check what you entered.")
    field.fill(code.lower())
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_text(re.compile(r"agreed to version \d+ of the consent:"))).to_be_visible()
    expect(page.get_by_text("This study is about how people experience the loading of websites.")).to_be_visible()
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("heading", name="Erase everything permanently?")).to_be_visible()
    page.get_by_role("button", name="Keep my answers").click()
    assert votes(platform, study) == 2

    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Erase permanently").click()
    expect(page.get_by_role("heading", name="Your answers are erased")).to_be_visible()
    expect(page.get_by_text("2 answers to videos")).to_be_visible()
    expect(page.get_by_text("Researchers have downloaded copies of your answers.")).to_be_visible()
    assert votes(platform, study) == 0

    staff = new_context().new_page()
    sign_in(staff, platform, "researcher", to=f"/research/studies/{study['sha256']}")
    warning = staff.get_by_role("alert").filter(has_text="contains answers that have been withdrawn since")
    expect(warning).to_be_visible()
    expect(staff.get_by_text("1 participant has withdrawn")).to_be_visible()


def votes(platform: Platform, study: dict[str, Any]) -> int:
    headers = {"Authorization": f"Bearer {platform.secret('studies-token')}"}
    answer = httpx.get(f"{platform.url}/api/research/studies/{study['sha256']}", headers=headers, timeout=30)
    counted: int = answer.raise_for_status().json()["votes"]
    return counted


def test_the_page_speaks_german(platform: Platform, new_context: NewContext) -> None:
    page = new_context(locale="de-DE").new_page()
    page.goto(f"{platform.url}/withdraw")
    expect(page.get_by_role("heading", name="Teilnahme zurückziehen und Antworten löschen lassen")).to_be_visible()
    expect(page.get_by_label("Abschlusscode")).to_be_visible()
