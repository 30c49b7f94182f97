"""Signs in as a researcher or an admin."""

from platform_process import Platform
from playwright.sync_api import Page, expect


def sign_in(page: Page, platform: Platform, role: str, *, to: str) -> None:
    """Open a page of the staff, be asked who one is, and come back to it."""
    page.goto(platform.url + to)
    page.get_by_label("User name").fill(role)
    page.get_by_label("Password").fill(platform.secret(f"{role}-password"))
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("button", name="Log out", exact=True)).to_be_visible()


def see_results(page: Page) -> None:
    """Ask for results by stack while the study is in the field, which is recorded once."""
    page.get_by_role("button", name="Show results by stack; this is recorded").click()
    expect(page.get_by_role("button", name="Show results by stack; this is recorded")).to_have_count(0)
