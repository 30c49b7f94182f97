"""Visits every researcher and admin page once, for the album, in both languages."""

from collections.abc import Callable
from typing import Any

from platform_process import Platform
from playwright.sync_api import BrowserContext, Page, expect

from .album import Albums, speak, visiting
from .participant_tour import closed_door
from .staff import see_results, sign_in

BEFORE_LOGIN = ("s00-landing", "s01-login", "s02-no-page")
RESEARCHER = (
    *("s10-study-blinded", "s11-studies", "s12-study", "s13-not-for-you", "s14-live", "s24-log"),
    *("s30-sharing", "s31-closing", "s32-archiving", "s40-preview"),
)
ADMIN = ("s20-batches", "s21-batch", "s22-accounts", "s23-account", "s25-token")
DOORS = ("p56-paused", "s50-study-closed", "s51-deleting", "p57-closed")
LISTS = ("research/studies", "batches", "accounts", "auth/tokens")
# fields of their entries with words that people chose, or that recruiters' links brought along
CHOSEN = ("name", "title", "label", "key", "campaign", "username")


def names_given(page: Page, platform: Platform) -> set[str]:
    """What people called studies, groups, batches, accounts and tokens, in tests before this one too.

    Of accounts that may not see one of the lists, what the others say.
    """
    answers = (page.request.get(f"{platform.url}/api/{path}") for path in LISTS)
    return {text for answer in answers if answer.ok for text in chosen(answer.json())}


def chosen(value: Any, *, under: str = "") -> set[str]:
    """Texts in the fields CHOSEN of an answer, and in what those fields hold."""
    if isinstance(value, str):
        return {value} if under in CHOSEN else set()
    if isinstance(value, list):
        return {text for each in value for text in chosen(each, under=under)}
    if isinstance(value, dict):
        below = ((name if name in CHOSEN or under not in CHOSEN else under, each) for name, each in value.items())
        return {text for name, each in below for text in chosen(each, under=name)}
    return set()


def in_both(albums: Albums, page: Page, name: str) -> None:
    for language, album in visiting(albums).items():
        speak(page, language)
        album.take(page, name)
    speak(page, "en")


def before_login(albums: Albums, platform: Platform, page: Page) -> None:
    albums["en"].open(page)
    for name, path in zip(BEFORE_LOGIN, ("/", "/login", "/nothing"), strict=True):
        visit(albums, page, platform.url + path, name, "heading")


def researcher(albums: Albums, platform: Platform, page: Page, study: dict[str, Any]) -> None:
    """All pages of whoever published `study`, which has votes and is blinded at first."""
    here = f"/research/studies/{study['sha256']}"
    albums["en"].open(page)
    sign_in(page, platform, "researcher", to=here)
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    in_both(albums, page, "s10-study-blinded")
    see_results(page)
    for name, path, landmark in (
        ("s11-studies", "/research", "listitem"),
        ("s12-study", f"{here}?origin=all", "img"),
        ("s14-live", f"{here}/live", "table"),
        ("s24-log", f"/log?study={study['sha256']}", "listitem"),
    ):
        visit(albums, page, platform.url + path, name, landmark)
    dialogs(albums, page, platform.url + here)
    preview(albums, page, platform.url + here)
    visit(albums, page, f"{platform.url}/admin", "s13-not-for-you", "heading")


def admin(albums: Albums, platform: Platform, page: Page) -> None:
    """All pages on batches and accounts."""
    albums["en"].open(page)
    sign_in(page, platform, "admin", to="/admin")
    for name, path in (("s20-batches", "/admin"), ("s22-accounts", "/admin/accounts"), ("s23-account", "/account")):
        visit(albums, page, platform.url + path, name, "listitem")
    page.get_by_label("Purpose").fill("nightly figures")
    page.get_by_role("button", name="Create token").click()
    expect(page.get_by_text("nightly figures").first).to_be_visible()
    in_both(albums, page, "s25-token")
    page.goto(f"{platform.url}/admin")
    page.get_by_role("listitem").get_by_role("link", name="tiny", exact=True).first.click()
    page.wait_for_function("""() => { const films = [...document.querySelectorAll('video')];
        return films.length > 0 && films.every(film => film.videoWidth > 0) }""")
    in_both(albums, page, "s21-batch")


def visit(albums: Albums, page: Page, address: str, name: str, landmark: Any) -> None:
    page.goto(address)
    expect(page.get_by_role(landmark).first).to_be_visible()
    in_both(albums, page, name)


def dialogs(albums: Albums, page: Page, address: str) -> None:
    for name, label in (
        ("s30-sharing", {"en": "Share …", "de": "Teilen …"}),
        ("s31-closing", {"en": "Close …", "de": "Schließen …"}),
        ("s32-archiving", {"en": "Archive …", "de": "Archivieren …"}),
    ):
        for language, album in albums.items():
            page.goto(address)
            speak(page, language)
            page.get_by_role("button", name=label[language]).click()
            expect(page.get_by_role("dialog")).to_be_visible()
            album.take(page, name, alone=True)
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


def doors(albums: Albums, platform: Platform, new: Callable[..., BrowserContext], study: dict[str, Any]) -> None:
    """What researchers and participants see of a study that is paused, and then closed."""
    page = albums["en"].open(new(locale="en").new_page())
    sign_in(page, platform, "admin", to=f"/research/studies/{study['sha256']}")
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    closed_door(albums, new, study["link"], "p56-paused")
    page.get_by_role("button", name="Close …").click()
    page.get_by_role("button", name="Close permanently").click()
    expect(page.get_by_role("button", name="Resume")).to_have_count(0)
    in_both(albums, page, "s50-study-closed")
    address = f"{platform.url}/research/studies/{study['sha256']}"
    for language, label in {"en": "Delete the study …", "de": "Studie löschen …"}.items():
        page.goto(address)
        speak(page, language)
        page.get_by_role("button", name=label).click()
        expect(page.get_by_role("dialog").get_by_role("listitem").first).to_be_visible()
        albums[language].take(page, "s51-deleting", alone=True)
    page.goto(address)
    speak(page, "en")
    closed_door(albums, new, study["link"], "p57-closed")
