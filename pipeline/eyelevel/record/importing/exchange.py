"""One request with its response, as other tools recorded them, and how it is written into a WARC."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import BytesIO
from urllib.parse import urlsplit

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from eyelevel.recorded import is_html

Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Exchange:
    """`body` is as the headers say: encoded where they have a content-encoding, chunked where a transfer-encoding.

    `address` is the server's IP address, None where it is unknown; `date` is when the request was sent, in ISO 8601
    with Z, None where it is unknown.
    """

    url: str
    method: str
    request_headers: Headers
    request_body: bytes
    status: int
    reason: str
    headers: Headers
    body: bytes
    address: str | None = None
    date: str | None = None

    @property
    def is_page(self) -> bool:
        media_type = next((value for name, value in self.headers if name.lower() == "content-type"), "")
        return self.method == "GET" and self.status == 200 and is_html(media_type)


@dataclass(frozen=True)
class Imported:
    """What a file of another tool holds. `left_out` says of each answer that is not imported why, in a phrase."""

    kind: str
    tool: str | None
    start_url: str | None
    exchanges: tuple[Exchange, ...]
    left_out: tuple[str, ...] = ()


def without(headers: Iterable[tuple[str, str]], *names: str) -> Headers:
    """The fields but those of these names, which are in lower case."""
    return tuple((name, value) for name, value in headers if name.lower() not in names)


def in_order(exchanges: Sequence[Exchange], start_url: str | None) -> list[Exchange]:
    """The page to start with first, for a replay starts with the first page of a recording; then the others."""
    first = [each for each in exchanges if each.url == start_url]
    return [*first, *(each for each in exchanges if each.url != start_url)]


def write(writer: WARCWriter, exchange: Exchange) -> None:
    """A response record with WARC-IP-Address where it is known, and its request record."""
    dated = {"WARC-Date": exchange.date} if exchange.date else {}
    response = writer.create_warc_record(
        exchange.url,
        "response",
        payload=BytesIO(exchange.body),
        length=len(exchange.body),
        http_headers=StatusAndHeaders(
            f"{exchange.status} {exchange.reason}".rstrip(), list(exchange.headers), protocol="HTTP/1.1"
        ),
        warc_headers_dict={**dated, **({"WARC-IP-Address": exchange.address} if exchange.address else {})},
    )
    writer.write_record(response)
    parts = urlsplit(exchange.url)
    target = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
    request = writer.create_warc_record(
        exchange.url,
        "request",
        payload=BytesIO(exchange.request_body),
        length=len(exchange.request_body),
        http_headers=StatusAndHeaders(
            f"{exchange.method} {target} HTTP/1.1", list(exchange.request_headers), is_http_request=True
        ),
        warc_headers_dict={**dated, "WARC-Concurrent-To": response.rec_headers.get_header("WARC-Record-ID")},
    )
    writer.write_record(request)
