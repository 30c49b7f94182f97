"""Tests accounts, sharing, the audit log and API tokens, each by its page."""

import pytest
from platform_process import Platform
from playwright.sync_api import Page, expect

from .conftest import NewContext, Publish
from .staff import sign_in

pytestmark = [pytest.mark.browser, pytest.mark.services]


def make_guest(page: Page, platform: Platform, name: str) -> str:
    """As an admin; the link that sets the guest's password."""
    sign_in(page, platform, "admin", to="/admin/accounts")
    page.get_by_label("User name").fill(name)
    page.get_by_label("Role").last.select_option("guest")
    page.get_by_role("button", name="Create account").click()
    secret = page.get_by_role("status").filter(has_text=f"Send this link to {name}.")
    expect(secret).to_be_visible()
    return secret.locator("code").inner_text()


def test_a_guest_reads_what_is_shared_and_the_log_tells_who_shared_it(
    platform: Platform, publish: Publish, new_context: NewContext
) -> None:
    study = publish("for-a-guest", rate=1, compare=1)
    link = make_guest(new_context().new_page(), platform, "gus")

    owner = new_context().new_page()
    sign_in(owner, platform, "researcher", to=f"/research/studies/{study['sha256']}")
    owner.get_by_role("button", name="Share …").click()
    dialog = owner.get_by_role("dialog")
    dialog.get_by_label("User name").fill("gus")
    dialog.get_by_role("button", name="Share").click()
    expect(dialog.get_by_role("listitem")).to_contain_text("gus")
    dialog.get_by_role("button", name="Done").click()
    owner.get_by_role("link", name="Audit log", exact=True).last.click()
    expect(owner.get_by_role("listitem").first).to_contain_text("researcher sharing")
    expect(owner.get_by_role("listitem").first).to_contain_text("(shared, gus, read)")

    guest = new_context().new_page()
    guest.goto(link)
    for label in ("New password, at least ten characters", "Repeat the new password"):
        guest.get_by_label(label).fill("a staple of batteries")
    guest.get_by_role("button", name="Set password").click()
    expect(guest.get_by_role("heading", name="The password has been set")).to_be_visible()
    guest.goto(f"{platform.url}/research")
    guest.get_by_label("User name").fill("gus")
    guest.get_by_label("Password").fill("a staple of batteries")
    guest.get_by_role("button", name="Log in").click()
    expect(guest.get_by_role("listitem")).to_have_count(1)
    guest.get_by_role("link", name="How fast does a website feel?").click()
    expect(guest.get_by_role("button", name="Show results by stack; this is recorded")).to_be_visible()
    for button in ("Pause", "Close …", "Share …"):
        expect(guest.get_by_role("button", name=button)).to_have_count(0)
    guest.goto(f"{platform.url}/log")
    expect(guest.get_by_role("heading", name="This page is for researchers")).to_be_visible()


def test_a_token_made_on_the_page_opens_what_it_says(
    platform: Platform, publish: Publish, new_context: NewContext
) -> None:
    study = publish("for-a-program", rate=1, compare=1)
    page = new_context().new_page()
    sign_in(page, platform, "researcher", to="/account")
    page.get_by_label("Purpose").fill("nightly")
    page.get_by_role("button", name="Create token").click()
    token = page.get_by_role("status").locator("code").inner_text()
    row = page.get_by_role("listitem").filter(has_text="nightly")
    expect(row).to_contain_text("never used")
    program = new_context(extra_http_headers={"Authorization": f"Bearer {token}"}).request
    results = f"{platform.url}/api/research/studies/{study['sha256']}/results"
    assert program.get(results).status == 200
    row.get_by_role("button", name="Revoke nightly").click()
    expect(row).to_have_count(0)
    assert program.get(results).status == 401
