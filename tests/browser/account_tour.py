"""Walks a person's whole way with a link for a password and a second factor, for the album, in both languages."""

import re
from base64 import b32decode

from django_otp.oath import totp
from platform_process import Platform
from playwright.sync_api import Page, expect

from .album import Albums, speak
from .conftest import NewContext
from .staff import sign_in
from .staff_tour import in_both

PAGES = (
    *("s60-new-password", "s61-link-over", "s62-set-up", "s63-recovery-codes", "s64-second-factor-on", "s65-code"),
    "s66-turn-off",
)
PASSWORD = "a staple of batteries"


def tour(albums: Albums, platform: Platform, new_context: NewContext, name: str) -> set[str]:
    """Take all pages; the names and codes on them, which no language translates."""
    admin = albums["en"].open(new_context(locale="en").new_page())
    sign_in(admin, platform, "admin", to="/admin/accounts")
    admin.get_by_label("User name").fill(name)
    admin.get_by_role("button", name="Create account").click()
    link = admin.get_by_role("status").filter(has_text=f"Send this link to {name}.").locator("code").inner_text()
    page = albums["en"].open(new_context(locale="en").new_page())
    by_link(albums, page, link)
    secret, codes = set_up(albums, page, platform, name)
    log_in_again(albums, page, platform, name, secret=secret, recovery_code=codes[0])
    turn_off(albums, admin, platform, name)
    return {name, secret, " ".join(re.findall("....", secret)), *codes}


def by_link(albums: Albums, page: Page, link: str) -> None:
    page.goto(link)
    expect(page.get_by_role("button", name="Set password")).to_be_visible()
    assert page.url == link.split("#", maxsplit=1)[0]
    in_both(albums, page, "s60-new-password")
    for label in ("New password, at least ten characters", "Repeat the new password"):
        page.get_by_label(label).fill(PASSWORD)
    page.get_by_role("button", name="Set password").click()
    expect(page.get_by_role("heading", name="The password has been set")).to_be_visible()
    page.goto(link)
    expect(page.get_by_role("heading", name="This link no longer works")).to_be_visible()
    in_both(albums, page, "s61-link-over")


def set_up(albums: Albums, page: Page, platform: Platform, name: str) -> tuple[str, list[str]]:
    """Turn the second factor on; its secret and the recovery codes."""
    page.goto(f"{platform.url}/account")
    enter_password(page, name)
    page.get_by_role("button", name="Set up").click()
    secret = page.get_by_label("Secret").inner_text().replace(" ", "")
    in_both(albums, page, "s62-set-up")
    page.get_by_label("Six-digit code that the app shows now").fill(f"{totp(b32decode(secret)):06}")
    page.get_by_role("button", name="Turn on").click()
    listed = page.get_by_role("list", name="Recovery codes").get_by_role("listitem")
    expect(listed).to_have_count(10)
    codes = listed.all_inner_texts()
    in_both(albums, page, "s63-recovery-codes")
    page.get_by_role("button", name="I have stored them").click()
    expect(page.get_by_text("10 recovery codes are left.")).to_be_visible()
    expect(page.get_by_text("this browser")).to_be_visible()
    in_both(albums, page, "s64-second-factor-on")
    return secret, codes


def log_in_again(albums: Albums, page: Page, platform: Platform, name: str, *, secret: str, recovery_code: str) -> None:
    """Once by the app, once by a recovery code."""
    log_out(page)
    page.goto(f"{platform.url}/login?next=/account")
    enter_password(page, name)
    field = page.get_by_label("Six-digit code from your app")
    expect(field).to_be_focused()
    in_both(albums, page, "s65-code")
    # that of the next half minute: a code is good once, and the set-up took one
    field.fill(f"{totp(b32decode(secret), drift=1):06}")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_text("10 recovery codes are left.")).to_be_visible()
    log_out(page)
    page.goto(f"{platform.url}/login?next=/account")
    enter_password(page, name)
    page.get_by_role("button", name="Use a recovery code").click()
    page.get_by_label("Recovery code").fill(recovery_code)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_text("9 recovery codes are left.")).to_be_visible()


def turn_off(albums: Albums, page: Page, platform: Platform, name: str) -> None:
    label = {"en": f"Turn off the second factor of {name}", "de": f"Zweiten Faktor ausschalten: {name}"}
    cancel = {"en": "Cancel", "de": "Abbrechen"}
    page.goto(f"{platform.url}/admin/accounts")
    for language, album in albums.items():
        speak(page, language)
        page.get_by_role("button", name=label[language]).click()
        album.take(page, "s66-turn-off", alone=True)
        page.get_by_role("button", name=cancel[language]).click()
    speak(page, "en")
    page.get_by_role("button", name=label["en"]).click()
    page.get_by_role("button", name="Turn off", exact=True).click()
    expect(page.get_by_role("button", name=label["en"])).to_have_count(0)


def enter_password(page: Page, name: str) -> None:
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()


def log_out(page: Page) -> None:
    page.locator("header").get_by_role("button", name="Log out", exact=True).click()
    expect(page.get_by_role("link", name="Log in")).to_be_visible()
