"""Pictures of pages, and what can be told of them without eyes."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import ConsoleMessage, Page

from .conftest import PHONE
from .person import OVERFLOW

Sizes = tuple[dict[str, int], ...]
# a window in which a comparison has no room yet, as many laptops have
DESK = {"width": 1280, "height": 800}
BOTH: Sizes = (DESK, PHONE)

# words and names that are the same in both languages; all else in a page is numbers, dates, digests and codes
NAMES = """
    English Deutsch Eyelevel ideal n s p in MOS Export admin researcher rate compare work free-time demo by-hand
    garden teashop batches DSL LTE QUIC TCP FVC SI VC85 LVC PLT Pearson Spearman Batches Clips Sites Stacks
"""
ALIKE = frozenset(NAMES.split())
ADDRESS = re.compile(r"\S*[@/:]\S*|\S*\d\S*")
WORD = re.compile(r"[^\W\d_][\w-]*")
# how Playwright writes something to be used, or to be seen, of which a screen reader says nothing
NAMELESS = re.compile(
    r"^\s*- (?:button|link|textbox|combobox|radio|checkbox|slider|spinbutton|img|radiogroup|progressbar|dialog)"
    r"\b(?! *\").*$",
    re.MULTILINE,
)
# what the server answers to a question is no fault of the page
STATUS = "Failed to load resource"


@dataclass
class Album:
    """Takes a picture of a page in each width; notes its words, and what is wrong with it by page and width."""

    folder: Path
    language: str
    words: dict[str, set[str]] = field(default_factory=dict)
    taken: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def open(self, page: Page) -> Page:
        """Hear what that page's console will say, the breaches of its policy among it."""

        def note(message: ConsoleMessage) -> None:
            if message.type == "error" and not message.text.startswith(STATUS):
                self.faults.append(f"{page.url} logs: {message.text}")

        page.on("console", note)
        page.set_viewport_size(DESK)
        return page

    def take(self, page: Page, name: str, *, sizes: Sizes = BOTH) -> None:
        before = page.viewport_size
        for size in sizes:
            page.set_viewport_size(size)  # type: ignore[arg-type]
            page.wait_for_timeout(150)  # figures are drawn anew for the new width
            file = self.folder / f"{name}-{self.language}-{size['width']}.png"
            page.screenshot(path=file, full_page=True, animations="disabled")
            self.taken.append(file.stem)
            self.look(page, file.stem)
        self.words[name] = {part.strip() for part in re.split(r"[\n\t]", page.locator("body").inner_text())}
        if before is not None:
            page.set_viewport_size(before)

    def look(self, page: Page, name: str) -> None:
        overflow = page.evaluate(OVERFLOW)
        if overflow:
            self.faults.append(f"{name} can be scrolled {overflow} px sideways")
        headings = page.get_by_role("heading", level=1).all_inner_texts()
        # behind an open dialog, a screen reader finds nothing else
        if len(headings) != (0 if page.get_by_role("dialog").count() else 1):
            self.faults.append(f"{name} has {len(headings)} first headings: {headings}")
        said = page.evaluate("document.documentElement.lang")
        if said != self.language:
            self.faults.append(f"{name} says that it is in {said!r}")
        for nameless in NAMELESS.findall(page.locator("body").aria_snapshot()):
            self.faults.append(f"{name} has something without a name: {nameless.strip()}")


def untranslated(english: Album, german: Album) -> dict[str, set[str]]:
    """Lines that a page says in both languages, though they are words."""
    both = {name: english.words[name] & german.words[name] for name in english.words}
    told = {
        name: {line for line in lines if set(WORD.findall(ADDRESS.sub("", line))) - ALIKE}
        for name, lines in both.items()
    }
    return {name: lines for name, lines in told.items() if lines}
