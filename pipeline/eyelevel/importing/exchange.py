"""One request with its response, as other tools recorded them, and how it is written into a WARC."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from urllib.parse import urlsplit

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from eyelevel.errors import BadInputError
from eyelevel.recorded import is_html

Headers = tuple[tuple[str, str], ...]
# what no header field of HTTP may hold (RFC 9110, section 5.5): all control characters but the tab
CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


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


def check_lines(exchange: Exchange, *, source: str) -> None:
    """Raise BadInputError where a line break or another control character would end a header field of the WARC."""
    for name, value in _lines(exchange):
        if CONTROL.search(value):
            raise BadInputError(
                f"{source}: {exchange.url!r} has a control character in {name}: {value[:60]!r}; no header can hold it. "
                "Remove it, or export the file again."
            )


def _lines(exchange: Exchange) -> Iterator[tuple[str, str]]:
    """What is written into headers, with its name."""
    yield from (("its URL", exchange.url), ("its method", exchange.method), ("its status text", exchange.reason))
    yield from (("its server address", exchange.address or ""), ("its date", exchange.date or ""))
    for side, headers in (("request", exchange.request_headers), ("response", exchange.headers)):
        for name, value in headers:
            yield f"the name of a {side} header", name
            yield f"the {side} header {name}", value


def write(writer: WARCWriter, exchange: Exchange, *, source: str) -> None:
    """Write a response record with WARC-IP-Address where it is known, and its request record.

    Raise BadInputError as `check_lines` does; `source` is the file or folder that the exchange comes from.
    """
    check_lines(exchange, source=source)
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
