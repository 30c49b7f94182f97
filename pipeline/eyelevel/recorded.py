"""Responses of a recording: URL, status, media type, size and server address of each.

Records of a later visit by `eyelevel record` have the field VISIT with a number above 1; they answer requests that the
first visit did not make, and are not part of the page's profile.
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
# exceptions of warcio for a file that is not a WARC, or is truncated
BROKEN = (ArchiveLoadFailed, StatusAndHeadersParserException, EOFError)


@dataclass(frozen=True)
class Response:
    """One recorded response.

    `body_bytes` is the size of the body as it was sent: with content-encoding, without transfer-encoding. `media_type`
    is in lower case without parameters, or None if the response has none. `address` is the server's, or None if it was
    not recorded.
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
    """Yields all HTTP responses in the file's order, except those without an HTTP status, as in the testbed.

    Raises BadInputError if the file is not a WARC, is truncated, or has revisit records instead of bodies.
    """
    for record in records(recording):
        if record.rec_type == "revisit" and target_of(record).startswith("http"):
            raise BadInputError(
                f"{recording} has a revisit record for {target_of(record)}, which points to another record's body. "
                f"Replay and profile do not support this; resolve it with: eyelevel import {recording} -o NEW.warc.gz"
            )
        if record.rec_type == "response" and record.http_headers is not None:
            response = _response(record)
            if response.status:
                yield response


def records(recording: Path) -> Iterator[ArcWarcRecord]:
    """Yields all records; read each before you request the next. Raises BadInputError as `responses` does."""
    number = 0
    try:
        with recording.open("rb") as file:
            for number, record in enumerate(raw_records(file), start=1):  # noqa: B007 - an error names the last one
                yield record
                check_whole(record)
    except BROKEN as error:
        raise BadInputError(
            f"{recording} is not a WARC file, or is damaged after record {number} ({error}); record the site again."
        ) from error
    if number == 0:
        raise BadInputError(f"{recording} is empty; record the site again.")


def check_whole(record: ArcWarcRecord) -> None:
    """Raises EOFError if the file ends inside the record, which warcio treats as the record's end."""
    while record.raw_stream.read(BLOCK):
        pass
    if getattr(record.raw_stream, "limit", 0) > 0:
        raise EOFError("the file is truncated")


def target_of(record: ArcWarcRecord) -> str:
    """Returns the target's URL, without the angle brackets of some writers of WARC/1.0."""
    return str(record.rec_headers.get_header("WARC-Target-URI") or "").strip("<>")


def body_of(record: ArcWarcRecord) -> Any:
    """Returns a reader of the body as it was sent: with content-encoding, without transfer-encoding."""
    coding = record.http_headers.get_header("Transfer-Encoding") or ""
    return ChunkedDataReader(record.raw_stream) if "chunked" in coding.lower() else record.raw_stream


def is_html(content_type: str) -> bool:
    """Returns whether a Content-Type is that of a page, by the testbed's rule (crates/replay/src/page_type.rs)."""
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
    """The number of server addresses in a recording, and by which of SERVERS_BY they are distinguished."""

    number: int
    by: str


def servers(responses: Iterable[Response]) -> Servers:
    """Returns the addresses that replay gives the hosts: recorded ones if they are public, else one per host.

    This is the testbed's rule for `--group-by address` (crates/replay/src/placement/addresses.rs). Pure.
    """
    hosts: dict[str, str | None] = {}
    for response in responses:
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
    foreign = _is_not_public_v4(address) if isinstance(address, IPv4Address) else _is_not_public_v6(address)
    return None if foreign else str(address)


def _is_not_public_v4(address: IPv4Address) -> bool:
    """Whether it is of a proxy, loopback or a private network; as in the testbed, documentation's count as public."""
    first, second, *_ = address.packed
    private = first == 10 or (first == 172 and 16 <= second < 32) or (first, second) == (192, 168)
    carrier = first == 100 and 64 <= second < 128
    return first == 0 or first >= 224 or private or carrier or address.is_loopback or address.is_link_local


def _is_not_public_v6(address: IPv6Address) -> bool:
    unique_local = address.packed[0] & 0xFE == 0xFC
    alone = address.is_unspecified or address.is_loopback or address.is_multicast
    return alone or unique_local or address.is_link_local
