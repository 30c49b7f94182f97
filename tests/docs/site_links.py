"""Checks the built site: every address in it leads to a file of the site and to a name there; nothing is fetched."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# what a browser fetches by itself, and what only a click opens
FETCHED = {"img": ("src", "srcset"), "script": ("src",), "link": ("href",), "iframe": ("src",), "source": ("src",)}
FOLLOWED = {"a": ("href",)}
IMPORTED = re.compile(r"(?:@import\s+|url\()\s*['\"]?((?:https?:)?//[^'\")\s]+)")
# addresses of the page about a missing page are those of the site's top
MISSING = "404.html"


@dataclass
class Page(HTMLParser):
    """Names of a page, and addresses in it, each with whether a browser fetches it."""

    names: set[str] = field(default_factory=set)
    addresses: list[tuple[str, bool]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value for name, value in attrs if value is not None}
        self.names |= {given[name] for name in ("id", "name") if name in given}
        for kinds, is_fetched in ((FETCHED, True), (FOLLOWED, False)):
            for attribute in kinds.get(tag, ()):
                # the addresses of srcset have their sizes behind them
                for address in given.get(attribute, "").split(",") if attribute == "srcset" else [given.get(attribute)]:
                    if address:
                        self.addresses.append((address.split()[0], is_fetched))


def read(path: Path) -> Page:
    page = Page()
    page.feed(path.read_text())
    return page


def faults(site: Path) -> list[str]:
    """Addresses without a target, and what a browser would fetch from other hosts, each with its page."""
    pages = {path: read(path) for path in sorted(site.rglob("*.html"))}
    found = []
    for path, page in pages.items():
        name = path.relative_to(site).as_posix()
        for address, is_fetched in page.addresses:
            fault = _fault(address, path, site, pages, is_fetched=is_fetched)
            if fault:
                found.append(f"{name}: {address}: {fault}")
    return [*found, *_imports(site)]


def _fault(address: str, path: Path, site: Path, pages: dict[Path, Page], *, is_fetched: bool) -> str:
    parts = urlsplit(address)
    if parts.scheme == "data":
        return ""
    if parts.scheme or parts.netloc:
        return "is fetched from another host" if is_fetched else ""
    base = site if path.name == MISSING else path.parent
    target = path if not parts.path else (base / unquote(parts.path).lstrip("/")).resolve()
    if target.is_dir():
        target /= "index.html"
    if not target.is_file():
        return "there is no such file"
    anchor = unquote(parts.fragment)
    # names with two underscores are those of the theme's scripts
    if not anchor or anchor.startswith("__") or target not in pages or anchor in pages[target].names:
        return ""
    return "the page has no such name"


def _imports(site: Path) -> Iterator[str]:
    for path in sorted(site.rglob("*.css")):
        for address in IMPORTED.findall(path.read_text()):
            yield f"{path.relative_to(site).as_posix()}: {address}: is fetched from another host"
