"""Reads a WACZ file: a zip of WARC files with a list of pages (WACZ 1.1.1, Webrecorder)."""

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

from warcio.recordloader import ArcWarcRecord

from eyelevel.errors import BadInputError
from eyelevel.importing.exchange import Imported
from eyelevel.importing.limits import Budget, check_file
from eyelevel.importing.warc import DAMAGED, exchanges, records
from eyelevel.record.addresses import split

PAGES = "pages/pages.jsonl"
PACKAGE = "datapackage.json"


def read_wacz(path: Path) -> Imported:
    """All HTTP responses of all pages; pointers to an equal body are resolved.

    Raise BadInputError, which names the file, the part and the cure.
    """
    check_file(path)
    budget = Budget(str(path))
    try:
        with zipfile.ZipFile(path) as archive:
            names = sorted(name for name in archive.namelist() if _is_warc(name))
            if not names:
                raise BadInputError(f"{path} has no WARC file in archive/, so it is no WACZ; export it again.")
            package, pages = _list(archive, PACKAGE, budget), _list(archive, PAGES, budget)
            found, left_out = exchanges(_records(archive, names, budget), str(path))
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, *DAMAGED) as error:
        raise BadInputError(f"{path} is damaged ({error}); export it again.") from error
    software = _object(package).get("software")
    tool = software if isinstance(software, str) else None
    return Imported("WACZ", tool, _start_url(package, pages), tuple(found), tuple(left_out))


def _is_warc(name: str) -> bool:
    return name.startswith("archive/") and name.endswith((".warc", ".warc.gz"))


def _records(archive: zipfile.ZipFile, names: list[str], budget: Budget) -> Iterator[ArcWarcRecord]:
    for name in names:
        with archive.open(name) as file:
            yield from records(file, budget)  # type: ignore[arg-type]  # a zip's entry is no BinaryIO by its type


def _list(archive: zipfile.ZipFile, name: str, budget: Budget) -> str:
    """The text of an entry; empty where there is none. No entry unpacks to more than its `file_size`."""
    if name not in archive.namelist():
        return ""
    budget.check_entry(name, archive.getinfo(name).file_size)
    budget.take(archive.getinfo(name).file_size)
    return archive.read(name).decode(errors="replace")


def _start_url(package: str, pages: str) -> str | None:
    """The main page, else the first of the list; None where the file names none."""
    for url in (_object(package).get("mainPageURL"), *(_object(line).get("url") for line in pages.splitlines())):
        if isinstance(url, str) and split(url) is not None:
            return url.partition("#")[0]
    return None


def _object(text: str) -> dict[str, object]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
