"""The list of pages to record: one URL per line, optionally followed by a name; comments start with #. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from eyelevel.errors import BadInputError
from eyelevel.record.addresses import why_not

# a campaign's names of sites (contract campaign.1)
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,63}")
NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9._+-]+")


@dataclass(frozen=True)
class ListedSite:
    """A site of the list; `line` is its line in the file."""

    name: str
    url: str
    line: int


def read_sites(text: str, *, source: str) -> list[ListedSite]:
    """Returns the sites in the file's order; raises BadInputError with file and line for the first error."""
    sites = [
        _site(number, words, source)
        for number, line in enumerate(text.splitlines(), start=1)
        if (words := _without_comment(line).split())
    ]
    if not sites:
        raise BadInputError(f"{source} has no pages; write one URL per line, such as https://example.org/.")
    _check_names(sites, source)
    return sites


def _without_comment(line: str) -> str:
    """A # begins a comment at the line's start or after a space; within a URL it begins a fragment."""
    return re.split(r"(?:^|\s)#", line, maxsplit=1)[0]


def _site(number: int, words: list[str], source: str) -> ListedSite:
    where = f"{source}, line {number}"
    if len(words) > 2:
        raise BadInputError(f"{where}: {' '.join(words)!r} has {len(words)} parts; write a URL, and optionally a name.")
    url, *given = words
    reason = why_not(url)
    if reason is not None:
        raise BadInputError(f"{where}: {reason}")
    name = given[0] if given else name_of(url)
    if NAME.fullmatch(name) is None:
        raise BadInputError(
            f"{where}: {name!r} cannot be a site's name; use up to 64 characters of a-z, A-Z, 0-9 and . _ + -, and "
            "start with a letter or digit."
        )
    return ListedSite(name, url, number)


def name_of(url: str) -> str:
    """Returns a name made of host, port and path: example.org-a-b for https://www.example.org/a/b."""
    parts = urlsplit(url)
    words = f"{parts.netloc.rpartition('@')[2].removeprefix('www.')}{parts.path}"
    return NOT_IN_A_NAME.sub("-", words).strip("-._+")[:64]


def _check_names(sites: Iterable[ListedSite], source: str) -> None:
    """Names are compared without case, as they become names of files."""
    lines: dict[str, ListedSite] = {}
    for site in sites:
        other = lines.setdefault(site.name.lower(), site)
        if other is not site:
            raise BadInputError(
                f"{source}, line {site.line}: line {other.line} already has the name {site.name!r}; write another name "
                "after the URL."
            )
