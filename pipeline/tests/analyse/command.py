"""What the tests of `eyelevel analyse` read: what a command left, its report, and its tables."""

import csv
import os
from html.parser import HTMLParser
from pathlib import Path
from typing import Protocol

import pytest

SHARED = Path(os.environ.get("EYELEVEL_SHARED", Path(__file__).resolve().parents[4] / "shared"))
RATINGS = SHARED / "oracles" / "ratings"
known_ratings = pytest.mark.skipif(not RATINGS.is_dir(), reason="EYELEVEL_SHARED has no oracles/ratings")


class Done(Protocol):
    """What a command leaves: exit status, and both outputs."""

    code: int
    out: str
    err: str


class Run(Protocol):
    def __call__(self, *arguments: str | Path) -> Done: ...


class RunInto(Protocol):
    def __call__(self, out: Path, *arguments: str | Path) -> Done: ...


class Page(HTMLParser):
    """Elements with their attributes, and the text of the page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data.replace("\u00a0", " ")

    def all(self, name: str) -> list[dict[str, str | None]]:
        return [attributes for element, attributes in self.elements if element == name]


def table(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))
