"""Reads WARC files of other tools: joins requests and responses, resolves pointers to bodies, and restores POST."""

import gzip
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from warcio.archiveiterator import ArchiveIterator
from warcio.recordloader import ArcWarcRecord

from eyelevel.errors import BadInputError
from eyelevel.importing.exchange import Exchange, Headers, Imported, without
from eyelevel.importing.limits import Budget, Counted, check_file
from eyelevel.importing.pointers import Answer, Originals
from eyelevel.importing.posted import restored
from eyelevel.record.addresses import split
from eyelevel.recorded import BROKEN, check_whole, target_of
from eyelevel.recording import chance_seed

# what a damaged file raises
DAMAGED = (*BROKEN, zlib.error, gzip.BadGzipFile)
GZIP, WARC = b"\x1f\x8b", b"WARC/"
ANSWERS = {"response", "revisit"}

# header of the request and its body
Request = tuple[Any, bytes]


def is_warc(path: Path) -> bool:
    try:
        with path.open("rb") as file, unpacked(file) as plain:
            return bool(plain.read(len(WARC)) == WARC)
    except (OSError, EOFError, zlib.error):
        return False


def read_warc(path: Path) -> Imported:
    """Raise BadInputError, which names the file and the cure."""
    check_file(path)
    if chance_seed(path) is not None:
        raise BadInputError(f"{path} is a recording of eyelevel record already; use it as it is.")
    budget = Budget(str(path))
    try:
        with path.open("rb") as file:
            found, left_out = exchanges(records(file, budget), str(path))
    except DAMAGED as error:
        raise BadInputError(f"{path} is damaged ({error}); export it again.") from error
    return Imported("WARC", None, None, tuple(found), tuple(left_out))


def records(file: BinaryIO, budget: Budget) -> Iterator[ArcWarcRecord]:
    """All records of a file, gzip or plain; what is unpacked is taken from the budget."""
    with unpacked(file) as plain:
        for record in ArchiveIterator(Counted(plain, budget)):
            name = target_of(record) or f"a record of the type {record.rec_type}"
            if record.length is None:
                raise EOFError(f"{name} has no Content-Length")
            budget.check_entry(name, record.length)
            yield record
            check_whole(record)


def unpacked(file: BinaryIO) -> Any:
    """A reader of the file without its gzip coding; it can be closed, which leaves the file open."""
    start = file.read(len(GZIP))
    file.seek(0)
    return gzip.GzipFile(fileobj=file) if start == GZIP else _Plain(file)


class _Plain:
    def __init__(self, file: BinaryIO) -> None:
        self.read = file.read

    def __enter__(self) -> "_Plain":
        return self

    def __exit__(self, *_: object) -> None:
        pass


def exchanges(found: Iterable[ArcWarcRecord], source: str) -> tuple[list[Exchange], list[str]]:
    """The exchanges in the file's order, and why others are left out. Raise BadInputError where there are none."""
    requests: dict[str, Request] = {}
    answers: list[Answer] = []
    for record in found:
        if split(target_of(record)) is None:
            continue
        if record.rec_type == "request" and record.http_headers is not None:
            request = (record.http_headers, _rest(record))
            # some tools name the response in the request, some the request in the response
            for name in ("WARC-Record-ID", "WARC-Concurrent-To"):
                requests[str(record.rec_headers.get_header(name))] = request
        elif record.rec_type in ANSWERS:
            answers.append(_answer(record))
    originals = Originals(answers)
    made, left_out = [], []
    for answer in answers:
        whole = originals.whole(answer)
        if whole is None:
            left_out.append(f"{answer.url}: it points to a body that is not in the file")
        elif whole.status:
            names = (answer.field("WARC-Record-ID"), answer.field("WARC-Concurrent-To"))
            asked = next((requests[name] for name in names if name in requests), None)
            made.append(_exchange(whole, asked))
    if not made:
        raise BadInputError(f"{source} holds no HTTP response; export it again.")
    return made, left_out


def _answer(record: ArcWarcRecord) -> Answer:
    http = record.http_headers
    body = _rest(record) if record.rec_type == "response" else None
    return Answer(record.rec_headers, http.statusline if http else "", _pairs(http) if http else (), body)


def _exchange(answer: Answer, asked: Request | None) -> Exchange:
    request, sent = asked or (None, b"")
    url = answer.url.partition("#")[0]
    method = "GET" if request is None else str(request.protocol)
    headers = () if request is None else _pairs(request)
    posted = restored(url)
    if posted is not None:
        url, method = posted.url, posted.method
        if not sent:
            sent, headers = _restored_body(posted.body, headers)
    status, _, reason = answer.status.partition(" ")
    return Exchange(
        url=url,
        method=method,
        request_headers=headers,
        request_body=sent,
        status=int(status) if status.isdigit() else 0,
        reason=reason,
        headers=answer.headers,
        body=answer.body or b"",
        address=answer.field("WARC-IP-Address") or None,
        date=answer.field("WARC-Date") or None,
    )


def _restored_body(body: bytes | None, headers: Headers) -> tuple[bytes, Headers]:
    """The body with its header. One that is not known is announced and left out: a replay then matches any body."""
    kept = without(headers, "content-length", "transfer-encoding")
    if body is None:
        return b"", (*kept, ("Transfer-Encoding", "chunked"))
    return body, (*kept, ("Content-Length", str(len(body))))


def _pairs(http: Any) -> Headers:
    return tuple((str(name), str(value)) for name, value in http.headers)


def _rest(record: ArcWarcRecord) -> bytes:
    """The body as it was sent."""
    data: bytes = record.raw_stream.read()
    return data
