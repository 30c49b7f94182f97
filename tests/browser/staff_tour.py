"""A researcher's and an admin's way past every page there is, each photographed in both languages."""

from collections.abc import Callable
from typing import Any

from platform_process import Platform
from playwright.sync_api import BrowserContext, Page, expect

from .album import Album
from .participant_tour import closed_door
from .staff import see_results, sign_in

Albums = dict[str, Album]
SWITCH = {"en": "English", "de": "Deutsch"}


def speak(page: Page, language: str) -> None:
    page.get_by_role("button", name=SWITCH[language]).click()
    expect(page.locator("html")).to_have_attribute("lang", language)


def in_both(albums: Albums, page: Page, name: str) -> None:
    for language, album in albums.items():
        speak(page, language)
        album.take(page, name)
    speak(page, "en")


def before_login(albums: Albums, platform: Platform, new: Callable[[], BrowserContext]) -> None:
    page = albums["en"].open(new().new_page())
    for name, path in (("s00-landing", "/"), ("s01-login", "/login"), ("s02-no-page", "/nothing")):
        page.goto(platform.url + path)
        expect(page.get_by_role("heading").first).to_be_visible()
        in_both(albums, page, name)


def tour(albums: Albums, platform: Platform, new: Callable[[], BrowserContext], study: dict[str, Any]) -> None:
    """All pages of an admin; `study` has votes, and is paused and closed at the end."""
    page = albums["en"].open(new().new_page())
    here = f"/research/studies/{study['sha256']}"
    sign_in(page, platform, "admin", to=here)
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    in_both(albums, page, "s10-study-blinded")
    see_results(page)
    for name, path, landmark in (
        ("s11-studies", "/research", "listitem"),
        ("s12-study", here, "img"),
        ("s20-batches", "/admin", "listitem"),
        ("s22-accounts", "/admin/accounts", "listitem"),
        ("s23-account", "/account", "listitem"),
        ("s24-log", f"/log?study={study['sha256']}", "listitem"),
    ):
        page.goto(platform.url + path)
        expect(page.get_by_role(landmark).first).to_be_visible()
        in_both(albums, page, name)
    page.goto(f"{platform.url}/admin")
    page.get_by_role("listitem").get_by_role("link", name="demo", exact=True).first.click()
    page.wait_for_function("""() => { const films = [...document.querySelectorAll('video')];
        return films.length > 0 && films.every(film => film.videoWidth > 0) }""")
    in_both(albums, page, "s21-batch")
    page.goto(f"{platform.url}/account")
    page.get_by_label("What it is for").fill("nightly figures")
    page.get_by_role("button", name="Make token").click()
    expect(page.get_by_text("nightly figures").first).to_be_visible()
    in_both(albums, page, "s25-token")
    dialogs(albums, page, platform.url + here)
    preview(albums, page, platform.url + here)
    doors(albums, page, new, study, platform.url + here)


def dialogs(albums: Albums, page: Page, address: str) -> None:
    for name, label in (
        ("s30-sharing", {"en": "Share …", "de": "Teilen …"}),
        ("s31-closing", {"en": "Close …", "de": "Schließen …"}),
    ):
        for language, album in albums.items():
            page.goto(address)
            speak(page, language)
            page.get_by_role("button", name=label[language]).click()
            expect(page.get_by_role("dialog")).to_be_visible()
            album.take(page, name)
    page.goto(address)
    speak(page, "en")


def preview(albums: Albums, page: Page, address: str) -> None:
    page.goto(address)
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Preview").click()
    popup = albums["en"].open(opened.value)
    expect(popup.get_by_role("note")).to_be_visible()
    expect(popup.get_by_role("checkbox")).to_be_visible()
    in_both(albums, popup, "s40-preview")
    popup.close()


def doors(albums: Albums, page: Page, new: Callable[[], BrowserContext], study: dict[str, Any], address: str) -> None:
    page.goto(address)
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    visit(albums, new, study["link"], "p56-paused")
    page.get_by_role("button", name="Close …").click()
    page.get_by_role("button", name="Close for good").click()
    expect(page.get_by_role("button", name="Resume")).to_have_count(0)
    in_both(albums, page, "s50-study-closed")
    visit(albums, new, study["link"], "p57-closed")


def visit(albums: Albums, new: Callable[[], BrowserContext], link: str, name: str) -> None:
    for album in albums.values():
        closed_door(album, lambda language=album.language: new(locale=language), link, name)  # type: ignore[misc,call-arg]
