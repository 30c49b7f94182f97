"""Reads a WACZ file: a zip of WARC files with a list of pages (WACZ 1.1.1, Webrecorder)."""

import json
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from warcio.archiveiterator import ArchiveIterator
from warcio.recordloader import ArcWarcRecord

from eyelevel.errors import BadInputError
from eyelevel.record.addresses import split
from eyelevel.record.importing.exchange import Exchange, Headers, Imported
from eyelevel.recorded import BROKEN, target_of

PAGES = "pages/pages.jsonl"
PACKAGE = "datapackage.json"
# a response like an earlier one may be stored as a pointer to it (WARC 1.1, section 6.7)
REVISIT = "revisit"
Digest = str


def read_wacz(path: Path) -> Imported:
    """All HTTP responses of all pages; pointers to an equal body are resolved.

    Raise BadInputError, which names the file, the part and the cure.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            names = sorted(name for name in archive.namelist() if _is_warc(name))
            if not names:
                raise BadInputError(f"{path} has no WARC file in archive/, so it is no WACZ; export it again.")
            found, left_out = _exchanges(archive, names, str(path))
            return Imported("WACZ", _tool(archive), _start_url(archive), tuple(found), tuple(left_out))
    except (zipfile.BadZipFile, zlib.error, *BROKEN) as error:
        raise BadInputError(f"{path} is damaged ({error}); export it again.") from error


def _is_warc(name: str) -> bool:
    return name.startswith("archive/") and name.endswith((".warc", ".warc.gz"))


def _exchanges(archive: zipfile.ZipFile, names: list[str], source: str) -> tuple[list[Exchange], list[str]]:
    requests: dict[str, tuple[Any, bytes]] = {}
    answers = []
    bodies: dict[Digest, bytes] = {}
    for record in _records(archive, names):
        if record.http_headers is None or split(target_of(record)) is None:
            continue
        if record.rec_type == "request":
            requests[record.rec_headers.get_header("WARC-Concurrent-To")] = (record.http_headers, _rest(record))
        elif record.rec_type in {"response", REVISIT}:
            body = _rest(record) if record.rec_type == "response" else None
            digest = record.rec_headers.get_header("WARC-Payload-Digest")
            if body is not None and digest:
                bodies.setdefault(digest, body)
            answers.append((record.rec_headers, record.http_headers, body, digest))
    found, left_out = [], []
    for head, http, body, digest in answers:
        whole = bodies.get(digest) if body is None else body
        url = str(head.get_header("WARC-Target-URI")).strip("<>")
        if whole is None:
            left_out.append(f"{url}: it points to a body that is not in the file")
            continue
        asked = requests.get(head.get_header("WARC-Record-ID"))
        found.append(_exchange(head, http, url=url, body=whole, asked=asked))
    if not found:
        raise BadInputError(f"{source} holds no HTTP response; export it again.")
    return found, left_out


def _exchange(head: Any, http: Any, *, url: str, body: bytes, asked: tuple[Any, bytes] | None) -> Exchange:
    """`head` and `http` are the WARC's and the response's headers, `asked` the request's with its body."""
    request, sent = asked or (None, b"")
    status, _, reason = http.statusline.partition(" ")
    return Exchange(
        url=url.partition("#")[0],
        method="GET" if request is None else str(request.protocol),
        request_headers=() if request is None else _pairs(request),
        request_body=sent,
        status=int(status) if status.isdigit() else 0,
        reason=reason,
        headers=_pairs(http),
        body=body,
        address=head.get_header("WARC-IP-Address"),
        date=head.get_header("WARC-Date"),
    )


def _pairs(http: Any) -> Headers:
    return tuple((str(name), str(value)) for name, value in http.headers)


def _rest(record: ArcWarcRecord) -> bytes:
    """The body as it was sent."""
    data: bytes = record.raw_stream.read()
    return data


def _records(archive: zipfile.ZipFile, names: list[str]) -> Iterator[ArcWarcRecord]:
    for name in names:
        with archive.open(name) as file:
            yield from ArchiveIterator(file)


def _start_url(archive: zipfile.ZipFile) -> str | None:
    """The main page, else the first of the list; None where the file names none."""
    for url in (_package(archive).get("mainPageURL"), *(page.get("url") for page in _pages(archive))):
        if isinstance(url, str) and split(url) is not None:
            return url.partition("#")[0]
    return None


def _pages(archive: zipfile.ZipFile) -> Iterator[dict[str, Any]]:
    if PAGES in archive.namelist():
        yield from map(_object, archive.read(PAGES).decode(errors="replace").splitlines())


def _tool(archive: zipfile.ZipFile) -> str | None:
    software = _package(archive).get("software")
    return software if isinstance(software, str) else None


def _package(archive: zipfile.ZipFile) -> dict[str, Any]:
    return _object(archive.read(PACKAGE).decode(errors="replace")) if PACKAGE in archive.namelist() else {}


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
