"""The scripts that a document names in its own markup, as it was received: not those that scripts insert. Pure."""

from html.parser import HTMLParser
from urllib.parse import urljoin


def named_scripts(document: bytes, url: str) -> list[str]:
    """Absolute URLs of all script elements, in order. `url` is the document's own.

    Text of scripts is no markup, so what document.write will insert is not among them.
    """
    reader = _Scripts()
    reader.feed(document.decode("utf-8", "replace"))
    reader.close()
    base = _joined(url, reader.base or "") or url
    return [found for source in reader.sources if (found := _joined(base, source)) is not None]


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
