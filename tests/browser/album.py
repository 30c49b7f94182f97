"""Takes screenshots of pages, and checks layout, names, contrast, console and translation."""

import re
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import ConsoleMessage, Page, Request, expect

from .conftest import PHONE
from .person import OVERFLOW
from .studies import REPOSITORY

Sizes = tuple[dict[str, int], ...]
# as many laptops have
DESK = {"width": 1280, "height": 800}
BOTH: Sizes = (DESK, PHONE)
LARGE = {"width": 1920, "height": 1080}
# of participants' pages
THREE: Sizes = (*BOTH, LARGE)

# the field's own checks of names, contrast and structure; one of the pages' locked development dependencies
AXE = REPOSITORY / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
JUDGE = """() => axe.run(document, {resultTypes: ['violations'], preload: false}).then(({violations}) =>
    violations.flatMap(({id, help, nodes}) => nodes.map(({html}) => `${help} (${id}): ${html}`)))"""
# figures for another width come from the server; a font that is being fetched is no picture
DRAWN = """() => {
    const frames = () => new Promise(done =>
        requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))));
    const arrived = () => document.querySelector('[aria-busy=true]') === null
        ? undefined : new Promise(done => setTimeout(done, 50)).then(arrived);
    return document.fonts.ready.then(frames).then(arrived).then(frames);
}"""

# words that English and German spell alike, and names of things; all else that both say was not translated
BOTH_SAY = """
    Admins Alt Batches Browser CSV Chrome Chromium Clips Code Edge Export Eyelevel Film Firefox In Link Linux Pause
    Safari Sites Stack Stacks Tokens Video Videos Website Websites an eyelevel ideal in online publish push so still was
    English Deutsch DSL LTE QUIC TCP FVC LVC MOS PLT SI VC85 Pearson Spearman MB kB UTC manifest json
    admin researcher garden teashop work free-time volunteer rate compare slider Download PNG SVG So
"""
ALIKE = frozenset(BOTH_SAY.split())
# a code of completion has ten capitals, and not always a digit
ADDRESS = re.compile(r"\S*(?:[@/]|:(?=\S))\S*|\S*\d\S*|\bey_\S+|\b[A-Z]{10}\b")
WORD = re.compile(r"[^\W\d_][\w-]+")
# what an accessibility snapshot says of something besides its role: its name, in quotes
NAME = re.compile(r'"((?:[^"\\]|\\.)*)"')
# buttons by which a page changes its language
SWITCH = {"en": "English", "de": "Deutsch"}
# a page with a film leaves no room for them
FILM_PAGE = ".participant--film"
# what the server answers to a question is no fault of the page
STATUS = "Failed to load resource"
DRAWN_MS = 50
ANSWERS_S = 10.0


@dataclass
class Album:
    """Takes a picture of a page in each width; notes its words, and what is wrong with it by page and width.

    Without a folder no picture is taken, and the page is checked in the first of its widths alone. If not `audited`,
    the slow checks of names, contrast and structure are left to the album of the other language. A `twin` of another
    language takes each page, too, by the page's own switch of languages, so that nobody walks there again.
    """

    folder: Path | None
    language: str
    audited: bool = True
    twin: "Album | None" = None
    sizes: Sizes = BOTH
    said: dict[str, set[str]] = field(default_factory=dict)
    taken: list[str] = field(default_factory=list)
    # pages with films, of which the twin has none
    without_switch: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def open(self, page: Page) -> Page:
        """Hear what that page throws, and what its console will say, the breaches of its policy among it."""

        def note(message: ConsoleMessage) -> None:
            answered = message.text.startswith(STATUS) and "/api/" in message.location["url"]
            if message.type == "error" and not answered:
                self.faults.append(f"{page.url} logs: {message.text} ({message.location['url']})")

        page.on("console", note)
        page.on("pageerror", lambda error: self.faults.append(f"{page.url} throws: {error.message}"))
        page.set_viewport_size(DESK)
        return page

    def take(self, page: Page, name: str, *, sizes: Sizes | None = None, alone: bool = False) -> None:
        """`alone`: the twin takes it on its own, because a dialog covers the switch."""
        before = page.viewport_size
        for size in self._sizes(sizes or self.sizes):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            page.evaluate(DRAWN)
            view = f"{name}-{self.language}-{size['width']}"
            if self.folder is not None:
                # a dialog dims the window, not what is below it
                whole = not page.get_by_role("dialog").count()
                page.screenshot(path=self.folder / f"{view}.png", full_page=whole, animations="disabled", scale="css")
            self.look(page, view)
        self.taken.append(name)
        self.said[name] = lines_of(page)
        if before is not None:
            page.set_viewport_size(before)
        if self.twin is not None and not alone:
            self._take_twin(self.twin, page, name, sizes or self.sizes)

    def _take_twin(self, twin: "Album", page: Page, name: str, sizes: Sizes) -> None:
        if page.get_by_role("button", name=SWITCH[twin.language], exact=True).count():
            speak(page, twin.language)
            twin.take(page, name, sizes=sizes)
            speak(page, self.language)
        elif page.locator(FILM_PAGE).count():
            self.without_switch.append(name)
        else:
            self.faults.append(f"{name} has no switch of languages")

    def _sizes(self, sizes: Sizes) -> Sizes:
        return sizes[:1] if self.folder is None else sizes

    def look(self, page: Page, name: str) -> None:
        overflow = page.evaluate(OVERFLOW)
        if overflow > 0:
            self.faults.append(f"{name} can be scrolled {overflow} px sideways")
        headings = page.get_by_role("heading", level=1).all_inner_texts()
        if len(headings) != 1:
            self.faults.append(f"{name} has {len(headings)} first headings: {headings}")
        lang = page.evaluate("document.documentElement.lang")
        if lang != self.language:
            self.faults.append(f"{name} says that it is in {lang!r}")
        if self.audited:
            self._audit(page, name)

    def _audit(self, page: Page, name: str) -> None:
        if not page.evaluate("'axe' in window"):
            page.evaluate(AXE.read_text(encoding="utf-8"))
        self.faults += [f"{name}: {fault}" for fault in page.evaluate(JUDGE)]


def speak(page: Page, language: str) -> None:
    """Switch the language, and wait for what the page asks the server for in it."""
    running: set[Request] = set()

    def begun(request: Request) -> None:
        running.add(request)

    def ended(request: Request) -> None:
        running.discard(request)

    page.on("request", begun)
    page.on("requestfinished", ended)
    page.on("requestfailed", ended)
    page.get_by_role("button", name=SWITCH[language], exact=True).click()
    expect(page.locator("html")).to_have_attribute("lang", language)
    # the page asks once it is drawn in the new language, and is drawn again with the answer
    page.wait_for_timeout(DRAWN_MS)
    end = time.monotonic() + ANSWERS_S
    while running and time.monotonic() < end:
        page.wait_for_timeout(DRAWN_MS)
    page.wait_for_timeout(DRAWN_MS)
    page.remove_listener("request", begun)
    page.remove_listener("requestfinished", ended)
    page.remove_listener("requestfailed", ended)


def lines_of(page: Page) -> set[str]:
    """The lines that a page shows, and the names by which a screen reader announces its parts."""
    body = page.locator("body")
    names = (name.replace('\\"', '"') for name in NAME.findall(body.aria_snapshot()))
    return {line.strip() for line in (*re.split(r"[\n\t]", body.inner_text()), *names, page.title())}


def untranslated(english: Iterable[str], german: Iterable[str], names: Iterable[str] = ()) -> list[str]:
    """German lines with words that the English page says too; times, counts, codes and addresses are no words.

    `names` are what people called things; such words may be in both.
    """
    says = words("\n".join(english)) - words("\n".join(names)) - ALIKE
    found = {line: sorted(words(line) & says) for line in german}
    return [f"{', '.join(alike)} in {line!r}" for line, alike in sorted(found.items()) if alike]


def words(text: str) -> set[str]:
    return set(WORD.findall(ADDRESS.sub(" ", text)))


Albums = dict[str, Album]


def visiting(albums: Albums) -> Albums:
    """Those for which pages are visited: all but twins."""
    twins = [album.twin for album in albums.values() if album.twin is not None]
    return {language: album for language, album in albums.items() if not any(album is twin for twin in twins)}


def findings(albums: Albums, pages: Iterable[str], names: Iterable[str] = ()) -> list[str]:
    """All that is wrong, a sentence each; `pages` must be there in every language, once, and no others."""
    every, found = list(pages), []
    without = {name for album in albums.values() for name in album.without_switch}
    for language, album in albums.items():
        expected = every if language in visiting(albums) else [name for name in every if name not in without]
        times = Counter(album.taken)
        found += album.faults
        found += [f"{name} is taken twice in {language!r}" for name in times if times[name] > 1]
        found += [f"{name} is missing in {language!r}" for name in expected if name not in times]
        found += [f"{name} is taken in {language!r}, but not expected" for name in times if name not in expected]
    english, german = albums["en"].said, albums["de"].said
    for name in (name for name in english if name in german):
        found += [f"{name} says {alike}" for alike in untranslated(english[name], german[name], names)]
    return found


def judge(albums: Albums, pages: Iterable[str], names: Iterable[str] = ()) -> None:
    """Fail with all findings at once, a line each."""
    found = findings(albums, pages, names)
    if found:
        raise AssertionError("\n".join([f"{len(found)} faults:", *found]))
