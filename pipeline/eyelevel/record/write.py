"""Writes a recording from the proxy's WARC files: atomically, and without information about the recording machine."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path

from warcio.recordloader import ArcWarcRecord
from warcio.warcwriter import WARCWriter

from eyelevel.recorded import VISIT, records, target_of
from eyelevel.recording import SCREENSHOT
from eyelevel_core.comparability.addresses import address

# method and URL, and the digest of the request's body
Asked = tuple[str, str, str]


@dataclass(frozen=True)
class Part:
    """The WARC files of one visit."""

    files: Sequence[Path]


def write_recording(
    visits: Sequence[Part], out: Path, *, page: str, fields: Mapping[str, str], screenshot: bytes | None = None
) -> None:
    """Writes the records of all visits into `out` with a new warcinfo record; the file appears once it is complete.

    The response of the URL `page` comes first, because a replay starts with the first page of a recording, and the
    proxy writes responses in the order in which they ended. A later visit adds only responses that no earlier visit
    requested, with their requests and the visit's number. `fields` are those of the warcinfo record; the screenshot is
    a PNG.
    """
    with writing(out, fields) as writer:
        known: set[Asked] = set()
        for number, part in enumerate(visits, start=1):
            asked = _asked(part)
            fresh = {name for name, request in asked.items() if request not in known}
            known.update(asked.values())
            for record in _first_the(address(page), part):
                if number == 1:
                    writer.write_record(record)
                elif _response_of(record) in fresh:
                    record.rec_headers.add_header(VISIT, str(number))
                    writer.write_record(record)
        if screenshot is not None:
            writer.write_record(_picture(writer, screenshot))


class writing:  # noqa: N801 - a context manager, used like a function
    """A context with the writer of a WARC file, which gets its name once it is complete, and is deleted on an error."""

    def __init__(self, out: Path, fields: Mapping[str, str]) -> None:
        self._out, self._part = out, out.with_name(out.name + ".part")
        self._fields = fields

    def __enter__(self) -> WARCWriter:
        self._file = self._part.open("wb")
        writer = WARCWriter(self._file, gzip=True)
        writer.write_record(writer.create_warcinfo_record(self._out.name, dict(self._fields)))
        return writer

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._file.close()
        if kind is None:
            self._part.rename(self._out)
        else:
            self._part.unlink(missing_ok=True)


def _records(part: Part) -> Iterator[ArcWarcRecord]:
    for file in part.files:
        for record in records(file):
            if record.rec_type != "warcinfo":  # it has the name and address of the machine
                record.rec_headers.remove_header("WARC-Warcinfo-ID")
                yield record


def _first_the(page: str, part: Part) -> Iterator[ArcWarcRecord]:
    """All records, with those of this address first."""
    for is_first in (True, False):
        for record in _records(part):
            if (address(target_of(record)) == page) is is_first:
                yield record


def _asked(part: Part) -> dict[str, Asked]:
    """The request of each response, by the id of the response record; GET if no request was recorded."""
    requests: dict[str, Asked] = {}
    for record in _records(part):
        name = _response_of(record)
        if record.rec_type == "response":
            requests.setdefault(name, ("GET", target_of(record), ""))
        elif record.rec_type == "request":
            body = record.raw_stream.read()
            digest = sha256(body).hexdigest() if body else ""
            requests[name] = (record.http_headers.protocol, target_of(record), digest)
    return requests


def _response_of(record: ArcWarcRecord) -> str:
    """The id of the response that this record is, or belongs to."""
    name = "WARC-Record-ID" if record.rec_type == "response" else "WARC-Concurrent-To"
    return str(record.rec_headers.get_header(name) or "")


def _picture(writer: WARCWriter, screenshot: bytes) -> ArcWarcRecord:
    return writer.create_warc_record(
        SCREENSHOT, "resource", payload=BytesIO(screenshot), length=len(screenshot), warc_content_type="image/png"
    )
