"""What every page looks like, in both languages and on both kinds of window.

Pictures go to the folder named by EYELEVEL_SCREENSHOTS, else to a folder of the test's own.
"""

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from platform_process import Platform
from playwright.sync_api import Page, expect

from .conftest import PHONE, WIDE, NewContext, Publish
from .person import OVERFLOW, Person
from .staff import see_results, sign_in
from .words import ENGLISH, GERMAN

pytestmark = [pytest.mark.browser, pytest.mark.services]

# words and names that are the same in both languages; all else in a page is numbers, dates, digests and codes
NAMES = """
    English Deutsch Eyelevel ideal n s p in MOS Export admin researcher rate compare work free-time demo by-hand
    garden teashop batches DSL LTE QUIC TCP FVC SI VC85 LVC PLT Pearson Spearman Batches Clips Sites Stacks
"""
ALIKE = frozenset(NAMES.split())
LANGUAGES = {"en": "English", "de": "Deutsch"}
# a participant's: 5 pages twice, 2 of a rating twice, 3 of a comparison once; the staff's: 9 pages twice
PICTURES = 35
ADDRESS = re.compile(r"\S*[@/:]\S*|\S*\d\S*")
WORD = re.compile(r"[^\W\d_][\w-]*")


@dataclass
class Album:
    """Takes a picture of a page in each width; notes its words, and how far it scrolls sideways."""

    folder: Path
    language: str
    words: dict[str, set[str]] = field(default_factory=dict)
    overflows: dict[str, int] = field(default_factory=dict)

    def take(self, page: Page, name: str, *, widths: tuple[dict[str, int], ...] = (WIDE, PHONE)) -> None:
        for size in widths:
            page.set_viewport_size(size)
            page.wait_for_timeout(150)  # figures are drawn anew for the new width
            file = self.folder / f"{name}-{self.language}-{size['width']}.png"
            page.screenshot(path=file, full_page=True, animations="disabled")
            self.overflows[file.stem] = page.evaluate(OVERFLOW)
        self.words[name] = {part.strip() for part in re.split(r"[\n\t]", page.locator("body").inner_text())}
        page.set_viewport_size(WIDE)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    chosen = Path(os.environ.get("EYELEVEL_SCREENSHOTS") or tmp_path / "screenshots")
    chosen.mkdir(parents=True, exist_ok=True)
    return chosen


def untranslated(english: Album, german: Album) -> dict[str, set[str]]:
    """Lines that a page says in both languages, though they are words."""
    both = {name: english.words[name] & german.words[name] for name in english.words}
    told = {
        name: {line for line in lines if set(WORD.findall(ADDRESS.sub("", line))) - ALIKE}
        for name, lines in both.items()
    }
    return {name: lines for name, lines in told.items() if lines}


def participate(album: Album, person: Person, link: str) -> None:
    page = person.page
    person.look = lambda name: album.take(page, name)
    person.arrive(link)
    for number in (1, 2):
        person.trial(number, 2)
        if page.get_by_role("heading", name=person.words.video_of.format(number=2, total=2)).count():
            # the comparison goes away in a narrow window, and comes back by itself in a wide one
            album.take(page, f"{2 * number + 3}-wider", widths=(PHONE,))
            person.trial(number, 2)
        album.take(page, f"{2 * number + 2}-film", widths=(WIDE,) if number == 2 else (WIDE, PHONE))
        person.trial(number, 2)
        person.watch(number)
        album.take(page, f"{2 * number + 4}-question", widths=(WIDE,) if number == 2 else (WIDE, PHONE))
        person.answer(number)
    person.code()
    album.take(page, "9-thanks")


def visit_as_staff(albums: dict[str, Album], page: Page, platform: Platform, study: dict[str, Any]) -> None:
    for language, album in albums.items():
        page.goto(f"{platform.url}/login")
        page.get_by_role("button", name=LANGUAGES[language]).click()
        expect(page.get_by_role("heading", name={"en": "Log in", "de": "Anmelden"}[language])).to_be_visible()
        album.take(page, "a-login")
    page.get_by_role("button", name=LANGUAGES["en"]).click()
    sign_in(page, platform, "admin", to=f"/research/studies/{study['sha256']}")
    for language, album in albums.items():
        page.get_by_role("button", name=LANGUAGES[language]).click()
        album.take(page, "c-study-blinded")
    page.get_by_role("button", name=LANGUAGES["en"]).click()
    see_results(page)
    for language, album in albums.items():
        for name, path, landmark in (
            ("b-studies", "/research", "listitem"),
            ("c-study", f"/research/studies/{study['sha256']}", "img"),
            ("d-batches", "/admin", "listitem"),
            ("e-accounts", "/admin/accounts", "listitem"),
            ("f-account", "/account", "listitem"),
            ("g-log", f"/log?study={study['sha256']}", "listitem"),
        ):
            page.goto(platform.url + path)
            expect(page.get_by_role(landmark).first).to_be_visible()
            page.get_by_role("button", name=LANGUAGES[language]).click()
            album.take(page, name)
        page.goto(f"{platform.url}/research/studies/{study['sha256']}")
        page.get_by_role("button", name={"en": "Share …", "de": "Teilen …"}[language]).click()
        expect(page.get_by_role("dialog")).to_be_visible()
        album.take(page, "h-sharing")


def test_every_page_fits_its_window_and_is_translated(
    platform: Platform, publish: Publish, new_context: NewContext, folder: Path
) -> None:
    albums = {language: Album(folder, language) for language in LANGUAGES}
    study: dict[str, Any] = {}
    for words in (ENGLISH, GERMAN):
        study = publish(f"album-{words.language}", rate=1, compare=1)
        page = new_context(locale=words.language).new_page()
        page.goto(study["link"].replace("/s/", "/s/none-"))
        expect(page.get_by_role("heading")).to_be_visible()
        albums[words.language].take(page, "0-no-such-study")
        participate(albums[words.language], Person(page, words), study["link"])
    visit_as_staff(albums, new_context(locale="en").new_page(), platform, study)

    assert untranslated(albums["en"], albums["de"]) == {}
    for album in albums.values():
        assert album.overflows == dict.fromkeys(album.overflows, 0)
        assert len(album.overflows) == PICTURES
        assert len(list(folder.glob(f"*-{album.language}-*.png"))) == PICTURES
