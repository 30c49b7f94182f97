"""Tests that no page violates the Content Security Policy, by the browser's console, Django's pages included."""

from collections.abc import Iterator

import pytest
from platform_process import Platform
from playwright.sync_api import ConsoleMessage, Page, expect

from .conftest import NewContext, Publish
from .staff import see_results, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.services]

ADMIN_LISTS = (
    *("accounts/user", "accounts/apitoken", "audit/auditentry", "ratings/exclusion", "ratings/session"),
    *("ratings/vote", "stimuli/batch", "stimuli/clip", "studies/fielding", "studies/study"),
)


@pytest.fixture
def page(new_context: NewContext) -> Iterator[Page]:
    opened = new_context().new_page()
    yield opened
    opened.close()


def listen(page: Page) -> list[str]:
    """What the console will say of the policy, with the page on which it does."""
    heard: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text or "Permissions-Policy" in message.text:
            heard.append(f"{page.url}: {message.text}")

    page.on("console", note)
    return heard


def test_our_pages_keep_the_policy(platform: Platform, publish: Publish, page: Page) -> None:
    study = publish("policy", rate=1, compare=1)
    heard = listen(page)
    for path in ("/", "/login", "/nothing", f"/s/{study['fieldings'][0]['slug']}", "/s/nothing"):
        page.goto(platform.url + path)
        expect(page.get_by_role("heading").first).to_be_visible()
    sign_in(page, platform, "admin", to=f"/research/studies/{study['sha256']}")
    see_results(page)
    page.get_by_role("button", name="Share …").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    for path in ("/research", "/account", "/admin/accounts", "/log", "/admin"):
        page.goto(platform.url + path)
        expect(page.get_by_role("heading").first).to_be_visible()
        page.wait_for_load_state("networkidle")
    page.get_by_role("listitem").get_by_role("link").first.click()
    expect(page.locator("video").first).to_be_visible()
    assert heard == []


def test_djangos_pages_keep_it_too(platform: Platform, page: Page) -> None:
    heard = listen(page)
    page.goto(f"{platform.url}/django-admin/")
    page.get_by_label("User name").fill("admin")
    page.get_by_label("Password").fill(platform.secret("admin-password"))
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", name="Site administration")).to_be_visible()
    for name in ADMIN_LISTS:
        answer = page.goto(f"{platform.url}/django-admin/{name}/")
        assert answer is not None
        assert answer.status == 200, name
        first = page.locator("#result_list th a")
        if first.count():
            first.first.click()
            expect(page.locator("#content")).to_be_visible()
    page.goto(f"{platform.url}/django-admin/nothing/")
    assert heard == []


def test_a_breach_would_be_heard(platform: Platform, page: Page) -> None:
    heard = listen(page)
    page.goto(f"{platform.url}/login")
    page.evaluate("document.body.setAttribute('style', 'color: red')")
    page.evaluate("document.body.append(Object.assign(document.createElement('script'), {text: 'window.broken = 1'}))")
    page.wait_for_timeout(200)
    assert len(heard) == 2
    assert page.evaluate("window.broken === undefined")
