"""The scripts in a document's markup as it was received, without those that scripts insert. Pure."""

from html.parser import HTMLParser
from urllib.parse import urljoin


def named_scripts(document: bytes, url: str) -> list[str]:
    """Returns the absolute URLs of all script elements, in order; `url` is that of the document.

    The text of scripts is not markup, so scripts that document.write inserts are not included.
    """
    reader = _Scripts()
    reader.feed(document.decode("utf-8", "replace"))
    reader.close()
    base = _joined(url, reader.base or "") or url
    return [absolute for source in reader.sources if (absolute := _joined(base, source)) is not None]


class _Scripts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.base: str | None = None
        self.sources: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        source = values.get("src")
        if tag == "base" and self.base is None:
            self.base = values.get("href")
        elif tag == "script" and source:
            self.sources.append(source)


def _joined(base: str, reference: str) -> str | None:
    try:
        return urljoin(base, reference.strip())
    except ValueError:
        return None
