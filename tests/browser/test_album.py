"""Tests the album's own checks: they find each fault of a page, and none on a sound page."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from .album import Album, findings, untranslated

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


def test_words_that_nobody_translated_are_found() -> None:
    english = {"12 votes of 4 sessions", "Close", "Batches", "DSL, 4.2 s"}
    assert untranslated(english, {"12 Bewertungen aus 4 Sitzungen", "Schließen", "Batches", "DSL, 4,2 s"}) == []
    assert untranslated(english, {"Gelöscht (12 votes)", "Schließen"}) == ["votes in 'Gelöscht (12 votes)'"]
    assert untranslated(english, {"Gelöscht (12 votes)", "Schließen"}, names=["votes"]) == []


def test_a_page_too_few_or_too_many_is_found(tmp_path: Path) -> None:
    albums = {language: Album(tmp_path, language) for language in ("en", "de")}
    albums["en"].taken = ["a", "b", "b"]
    albums["de"].taken = ["a", "c"]
    assert findings(albums, ["a", "b"]) == [
        "b is taken twice in 'en'",
        "b is missing in 'de'",
        "c is taken in 'de', but not expected",
    ]
