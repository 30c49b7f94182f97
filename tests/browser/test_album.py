"""Tests the album's own checks: they find each fault of a page, and none on a sound page."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from .album import SWITCH, Album, findings, untranslated, visiting

pytestmark = pytest.mark.browser

SOUND = "<h1>Loading</h1><p>Which was faster?</p><button>Left</button><label>Name <input></label>"
# what is wrong, and a piece of the sentence that says so
BROKEN = {
    "<h1>Another</h1>": "has 2 first headings",
    "<button></button>": "(button-name)",
    "<a href='/there'><img src='data:,' alt=''></a>": "(link-name)",
    "<input type='text'>": "(label)",
    "<div role='slider' tabindex='0' aria-valuenow='1'></div>": "(aria-input-field-name)",
    "<p style='color: #ccc'>pale</p>": "(color-contrast)",
    "<div style='width: 600px'>wide</div>": "px sideways",
    "<script>console.error('a word to the console')</script>": "logs: a word to the console",
    "<script>throw new Error('a slip')</script>": "throws: a slip",
    "<img alt='none' src='http://127.0.0.1:9/picture.png'>": "127.0.0.1:9/picture.png",
}


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    opened = chromium.new_page()
    yield opened
    opened.close()


def photographed(page: Page, folder: Path, main: str, *, lang: str = "en") -> Album:
    album = Album(folder, "en")
    album.open(page).set_content(f"<html lang='{lang}'><title>A page</title><body><main>{main}</main></body></html>")
    album.take(page, "page")
    return album


def test_nothing_is_wrong_with_a_sound_page(page: Page, tmp_path: Path) -> None:
    assert photographed(page, tmp_path, SOUND).faults == []
    assert {file.name for file in tmp_path.iterdir()} == {"page-en-1280.png", "page-en-390.png"}


def test_each_fault_is_found(page: Page, tmp_path: Path) -> None:
    faults = photographed(page, tmp_path, SOUND + "".join(BROKEN), lang="de").faults
    missed = [broken for broken, sign in BROKEN.items() if not any(sign in fault for fault in faults)]
    assert missed == []
    assert any("says that it is in 'de'" in fault for fault in faults)
    # a window of a desk has room for what is too wide for a phone
    assert [fault.split()[0] for fault in faults if "sideways" in fault] == ["page-en-390"]


def brief(page: Page, *, audited: bool) -> Album:
    album = Album(None, "en", audited=audited)
    body = f"<main>{SOUND}{''.join(BROKEN)}</main>"
    album.open(page).set_content(f"<html lang='de'><title>A page</title><body>{body}</body></html>")
    album.take(page, "page")
    return album


def test_an_album_without_pictures_checks_one_width(page: Page) -> None:
    faults = brief(page, audited=True).faults
    assert any("(label)" in fault for fault in faults)
    assert {fault.split()[0].rstrip(":") for fault in faults if fault.startswith("page-")} == {"page-en-1280"}


def test_an_album_that_is_not_audited_still_notes_words_language_and_console(page: Page) -> None:
    album = brief(page, audited=False)
    assert "Which was faster?" in album.said["page"]
    assert not any("(label)" in fault for fault in album.faults)
    for sign in ("says that it is in 'de'", "has 2 first headings", "logs: a word to the console", "throws: a slip"):
        assert any(sign in fault for fault in album.faults), sign


BUTTONS = "".join(
    f"<p><button onclick=\"document.documentElement.lang = '{language}'\">{name}</button>"
    for language, name in SWITCH.items()
)


def test_a_twin_takes_what_the_switch_shows_and_pages_without_a_switch_are_faults(page: Page) -> None:
    german = Album(None, "de", audited=False)
    albums = {"en": Album(None, "en", audited=False, twin=german), "de": german}
    assert list(visiting(albums)) == ["en"]
    albums["en"].open(page)
    for name, place, body in (
        ("both", "", BUTTONS),
        ("film", "<div class='participant--film'></div>", ""),
        ("none", "", ""),
    ):
        main = f"<main><h1>{name}</h1>{place}{body}</main>"
        page.set_content(f"<html lang='en'><title>Title</title><body>{main}</body></html>")
        albums["en"].take(page, name)
    assert (albums["en"].taken, german.taken) == (["both", "film", "none"], ["both"])
    assert findings(albums, ["both", "film", "none"]) == [
        "none has no switch of languages",
        "none is missing in 'de'",
        "both says Title in 'Title'",
        "both says both in 'both'",
    ]


def test_words_that_nobody_translated_are_found() -> None:
    english = {"12 votes of 4 sessions", "Close", "Batches", "DSL, 4.2 s"}
    assert untranslated(english, {"12 Bewertungen aus 4 Sitzungen", "Schließen", "Batches", "DSL, 4,2 s"}) == []
    assert untranslated(english, {"Gelöscht (12 votes)", "Schließen"}) == ["votes in 'Gelöscht (12 votes)'"]
    assert untranslated(english, {"Gelöscht (12 votes)", "Schließen"}, names=["votes"]) == []
    # a code of completion, which has no digit once in twenty times
    assert untranslated({"WCFWFAARHB"}, {"WCFWFAARHB"}) == []


def test_a_page_too_few_or_too_many_is_found(tmp_path: Path) -> None:
    albums = {language: Album(tmp_path, language) for language in ("en", "de")}
    albums["en"].taken = ["a", "b", "b"]
    albums["de"].taken = ["a", "c"]
    assert findings(albums, ["a", "b"]) == [
        "b is taken twice in 'en'",
        "b is missing in 'de'",
        "c is taken in 'de', but not expected",
    ]
