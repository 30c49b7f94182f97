"""Reads the responses of a recording: URL, status, media type, size and server address of each.

Records that `eyelevel record` took on a second visit carry the field VISIT with a number above 1; they answer requests
that the first visit did not make, and are not part of the page's profile.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from warcio.bufferedreaders import ChunkedDataReader
from warcio.exceptions import ArchiveLoadFailed
from warcio.recordloader import ArcWarcRecord
from warcio.statusandheaders import StatusAndHeadersParserException

from eyelevel.errors import BadInputError
from eyelevel.raw_headers import raw_records

VISIT = "Eyelevel-Visit"
BLOCK = 1 << 16
# what warcio raises for a file that is no WARC, or breaks off
BROKEN = (ArchiveLoadFailed, StatusAndHeadersParserException, EOFError)


@dataclass(frozen=True)
class Response:
    """One recorded response.

    `body_bytes` is the size of the body as it was sent: content-encoding kept, transfer-encoding undone. `media_type`
    is in lower case without parameters; None where the response names none. `address` is the server's; None where it
    was not recorded.
    """

    url: str
    status: int
    media_type: str | None
    body_bytes: int
    address: str | None
    visit: int = 1

    @property
    def host(self) -> str:
        return urlsplit(self.url).hostname or ""


def responses(recording: Path) -> Iterator[Response]:
    """All HTTP responses in the file's order, without those that have no HTTP status; the testbed skips them, too.

    Raise BadInputError where the file is no WARC, breaks off, or has pointers instead of bodies.
    """
    for record in records(recording):
        if record.rec_type == "revisit" and target_of(record).startswith("http"):
            raise BadInputError(
                f"{recording} has a pointer to the body of another record (revisit, for {target_of(record)}), which "
                f"neither a replay nor a profile follows; resolve it with: eyelevel import {recording} -o NEW.warc.gz"
            )
        if record.rec_type == "response" and record.http_headers is not None:
            response = _response(record)
            if response.status:
                yield response


def records(recording: Path) -> Iterator[ArcWarcRecord]:
    """All records; each can be read until the next one is asked for. Raise BadInputError as `responses` does."""
    number = 0
    try:
        with recording.open("rb") as file:
            for number, record in enumerate(raw_records(file), start=1):  # noqa: B007 - an error names the last one
                yield record
                check_whole(record)
    except BROKEN as error:
        raise BadInputError(
            f"{recording} is no WARC file, or is damaged after record {number} ({error}); record the site again."
        ) from error
    if number == 0:
        raise BadInputError(f"{recording} is empty; record the site again.")


def check_whole(record: ArcWarcRecord) -> None:
    """Raise EOFError where the file ends inside the record, which warcio takes for the record's end."""
    while record.raw_stream.read(BLOCK):
        pass
    if getattr(record.raw_stream, "limit", 0) > 0:
        raise EOFError("the file breaks off")


def target_of(record: ArcWarcRecord) -> str:
    """The target's URL; some writers of WARC/1.0 wrap it in angle brackets."""
    return str(record.rec_headers.get_header("WARC-Target-URI") or "").strip("<>")


def body_of(record: ArcWarcRecord) -> Any:
    """A reader of the body as it was sent: content-encoding kept, transfer-encoding undone."""
    coding = record.http_headers.get_header("Transfer-Encoding") or ""
    return ChunkedDataReader(record.raw_stream) if "chunked" in coding.lower() else record.raw_stream


def is_html(content_type: str) -> bool:
    """Whether a Content-Type is that of a page; the testbed's rule (crates/replay/src/page_type.rs)."""
    return content_type.partition(";")[0].strip().lower() in {"text/html", "application/xhtml+xml"}


def _response(record: ArcWarcRecord) -> Response:
    media_type = (record.http_headers.get_header("Content-Type") or "").partition(";")[0].strip().lower()
    status = record.http_headers.get_statuscode()
    visit = record.rec_headers.get_header(VISIT) or "1"
    return Response(
        url=target_of(record),
        status=int(status) if status.isdigit() else 0,
        media_type=media_type or None,
        body_bytes=_length(body_of(record)),
        address=record.rec_headers.get_header("WARC-IP-Address"),
        visit=int(visit) if visit.isdigit() else 1,
    )


def _length(stream: Any) -> int:
    length = 0
    while block := stream.read(BLOCK):
        length += len(block)
    return length


@dataclass(frozen=True)
class Servers:
    """How many server addresses a recording has, and by which of SERVERS_BY they are told apart."""

    number: int
    by: str


def servers(found: Iterable[Response]) -> Servers:
    """The addresses that replay gives the hosts: recorded ones where they are public, else one per host.

    It is the testbed's rule for `--group-by address` (crates/replay/src/placement/addresses.rs). Pure.
    """
    hosts: dict[str, str | None] = {}
    for response in found:
        host = response.host.removesuffix(".")
        hosts[host] = hosts.get(host) or _public(host) or _public(response.address)
    recorded = [address for address in hosts.values() if address is not None]
    missing = len(hosts) - len(recorded)
    by = "recorded" if missing == 0 else "recorded, else by host" if recorded else "by host"
    return Servers(len(set(recorded)) + missing, by)


def _public(text: str | None) -> str | None:
    try:
        address = ip_address(text or "")
    except ValueError:
        return None
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or address
    foreign = _tells_of_the_recorder(address) if isinstance(address, IPv4Address) else _is_of_no_public_server(address)
    return None if foreign else str(address)


def _tells_of_the_recorder(address: IPv4Address) -> bool:
    """Of proxies, loopback and private networks; documentation's addresses count as public, as in the testbed."""
    first, second, *_ = address.packed
    private = first == 10 or (first == 172 and 16 <= second < 32) or (first, second) == (192, 168)
    carrier = first == 100 and 64 <= second < 128
    return first == 0 or first >= 224 or private or carrier or address.is_loopback or address.is_link_local


def _is_of_no_public_server(address: IPv6Address) -> bool:
    unique_local = address.packed[0] & 0xFE == 0xFC
    alone = address.is_unspecified or address.is_loopback or address.is_multicast
    return alone or unique_local or address.is_link_local
