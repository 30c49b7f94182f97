"""Reads a WACZ file: a zip of WARC files with a list of pages (WACZ 1.1.1, Webrecorder)."""

import json
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from io import BytesIO
from typing import IO

from eyelevel.errors import BadInputError
from eyelevel.importing import limits
from eyelevel.importing.exchange import Imported, LeftOut
from eyelevel.importing.limits import Budget
from eyelevel.importing.opened import Break, opened
from eyelevel.importing.pointers import has_digest, is_checkable
from eyelevel.importing.records import Record, split
from eyelevel.importing.rules import imported
from eyelevel.importing.warc import exchanges
from eyelevel.importing.wire import as_sent

PAGES = "pages/pages.jsonl"
PACKAGE = "datapackage.json"
GZ = ".gz"
BROKEN = (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, zlib.error, OSError)
# of the flags of a zip's entry
ENCRYPTED = 1
BLOCK = 1 << 16
OTHER_FILE = "datapackage.json has another digest for {name}; its body may be wrong"
NO_LIST = "it is damaged, so the start page is unknown"


def read_wacz(file: IO[bytes], *, source: str, budget: Budget) -> Imported:
    """Reads all HTTP responses of all pages, and resolves pointers to bodies.

    Raises BadInputError, which gives the file, the part and the cure.
    """
    try:
        archive = zipfile.ZipFile(file)
    except BROKEN as error:
        why = "its list of files is missing or wrong, so it is probably truncated"
        raise BadInputError(f"{source} is damaged ({why}); export it again.") from error
    with archive:
        names = sorted(name for name in archive.namelist() if _is_warc(name))
        if not names:
            raise BadInputError(f"{source} {_why_no_wacz(archive)}.")
        if any(archive.getinfo(name).flag_bits & ENCRYPTED for name in names):
            raise BadInputError(f"{source} is encrypted; export it without a password.")
        lists = {name: _list(archive, name, budget) for name in (PACKAGE, PAGES)}
        answers = exchanges(_records(archive, names, budget, _digests(lists[PACKAGE] or "")))
    damaged = [LeftOut(name, NO_LIST) for name, text in lists.items() if text is None]
    package, pages = (lists[name] or "" for name in (PACKAGE, PAGES))
    software = _object(package).get("software")
    tool = software if isinstance(software, str) else None
    return imported("WACZ", tool, _start_url(package, pages), [*answers, *damaged], source=source)


def _is_warc(name: str) -> bool:
    return name.startswith("archive/") and name.endswith((".warc", ".warc.gz"))


def _why_no_wacz(archive: zipfile.ZipFile) -> str:
    hars = [name for name in archive.namelist() if name.endswith((".har", ".har.gz"))]
    if hars:
        return f"is a zip with {hars[0]}; unpack it and import that file"
    return "has no WARC file in archive/, so it is not a WACZ; export it again"


def _digests(package: str) -> dict[str, str]:
    """The digests in the package, by the path of the file."""
    listed = _object(package).get("resources")
    resources = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    return {str(each.get("path")): str(each.get("hash", "")).lower() for each in resources}


def _records(
    archive: zipfile.ZipFile, names: list[str], budget: Budget, digests: Mapping[str, str]
) -> Iterator[Record]:
    for name in names:
        data, is_damaged = _entry(archive, name)
        plain = opened(BytesIO(data), budget)
        if is_damaged and not plain.breaks:
            # each member of a gzip file has a checksum
            begin = len(plain.data) if plain.members else 0
            plain = replace(plain, breaks=(Break(len(plain.data), begin, is_end=bool(plain.members)),))
        digest = digests.get(name, "")
        is_other = is_checkable(digest) and not plain.breaks and not has_digest(data, digest)
        doubt = OTHER_FILE.format(name=name) if is_other else None
        yield from (replace(record, doubt=record.doubt or doubt) for record in split(plain, budget, name))


def _entry(archive: zipfile.ZipFile, name: str) -> tuple[bytes, bool]:
    """The readable data of an entry, and whether it is damaged."""
    data = bytearray()
    try:
        with archive.open(name) as file:
            while len(data) <= limits.MOST_UNPACKED_BYTES and (part := file.read(BLOCK)):
                data += part
    except BROKEN:
        return bytes(data), True
    return bytes(data), False


def _list(archive: zipfile.ZipFile, name: str, budget: Budget) -> str | None:
    """The text of an entry, gzip or plain; an empty string if it is missing, None if it is damaged."""
    name = next((candidate for candidate in (name, name + GZ) if candidate in archive.namelist()), "")
    if not name:
        return ""
    budget.check_entry(name, archive.getinfo(name).file_size)
    data, is_damaged = _entry(archive, name)
    plain = opened(BytesIO(data), budget)
    return None if is_damaged or plain.breaks else plain.data.decode(errors="replace")


def _start_url(package: str, pages: str) -> str | None:
    """The main page, else the first in the list; None if the file gives none."""
    named = _object(package)
    for url in (
        named.get("mainPageUrl"),
        named.get("mainPageURL"),
        *(_object(line).get("url") for line in pages.splitlines()),
    ):
        if isinstance(url, str) and (address := as_sent(url)) is not None:
            return address
    return None


def _object(text: str) -> dict[str, object]:
    try:
        value = json.loads(text.lstrip("\ufeff"))
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
