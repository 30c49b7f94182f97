"""Reads a WACZ file: a zip of WARC files with a list of pages (WACZ 1.1.1, Webrecorder)."""

import json
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO

from eyelevel.errors import BadInputError
from eyelevel.importing.exchange import Imported
from eyelevel.importing.limits import Budget
from eyelevel.importing.opened import DamagedError, opened
from eyelevel.importing.records import Record, split
from eyelevel.importing.rules import imported
from eyelevel.importing.warc import exchanges
from eyelevel.importing.wire import as_sent

PAGES = "pages/pages.jsonl"
PACKAGE = "datapackage.json"
GZ = ".gz"
BROKEN = (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, zlib.error, DamagedError)


def read_wacz(file: IO[bytes], *, source: str, budget: Budget) -> Imported:
    """All HTTP responses of all pages; pointers to an equal body are resolved.

    Raise BadInputError, which names the file, the part and the cure.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            names = sorted(name for name in archive.namelist() if _is_warc(name))
            if not names:
                raise BadInputError(f"{source} {_why_no_wacz(archive)}.")
            package, pages = _list(archive, PACKAGE, budget), _list(archive, PAGES, budget)
            found = exchanges(_records(archive, names, budget))
    except BROKEN as error:
        raise BadInputError(f"{source} is damaged ({error}); export it again.") from error
    software = _object(package).get("software")
    tool = software if isinstance(software, str) else None
    return imported("WACZ", tool, _start_url(package, pages), found, source=source)


def _is_warc(name: str) -> bool:
    return name.startswith("archive/") and name.endswith((".warc", ".warc.gz"))


def _why_no_wacz(archive: zipfile.ZipFile) -> str:
    hars = [name for name in archive.namelist() if name.endswith((".har", ".har.gz"))]
    if hars:
        return f"is a zip that holds {hars[0]}; unpack it and import that"
    return "has no WARC file in archive/, so it is no WACZ; export it again"


def _records(archive: zipfile.ZipFile, names: list[str], budget: Budget) -> Iterator[Record]:
    for name in names:
        with archive.open(name) as file:
            yield from split(opened(file, budget), budget)


def _list(archive: zipfile.ZipFile, name: str, budget: Budget) -> str:
    """The text of an entry, gzip or plain; empty where there is none. No entry unpacks to more than its `file_size`."""
    name = next((one for one in (name, name + GZ) if one in archive.namelist()), "")
    if not name:
        return ""
    budget.check_entry(name, archive.getinfo(name).file_size)
    with archive.open(name) as file:
        return opened(file, budget).data.decode(errors="replace")


def _start_url(package: str, pages: str) -> str | None:
    """The main page, else the first of the list; None where the file names none."""
    named = _object(package)
    for url in (
        named.get("mainPageUrl"),
        named.get("mainPageURL"),
        *(_object(line).get("url") for line in pages.splitlines()),
    ):
        if isinstance(url, str) and (found := as_sent(url)) is not None:
            return found
    return None


def _object(text: str) -> dict[str, object]:
    try:
        value = json.loads(text.lstrip("\ufeff"))
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
