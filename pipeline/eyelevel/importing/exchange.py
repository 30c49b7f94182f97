"""One request with its response, as other tools recorded them, and how it is written into a WARC."""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Literal

from warcio.warcwriter import WARCWriter

from eyelevel.importing.wire import Headers, credentials, named, printable, target
from eyelevel.raw_headers import RawHeaders
from eyelevel.recorded import is_html

Order = Literal["requests", "file", "none"]
# characters of a URL in a message
MOST_SHOWN = 200


@dataclass(frozen=True)
class Exchange:
    """A request with its response.

    `body` is encoded and chunked as the headers say, and None if the file does not have it. `body_bytes` is its length
    by the file, None if only the headers give it. `cut` is why it is incomplete. `address` is the server's IP address,
    and `date` is when the request was sent, in ISO 8601 with Z; both are None if unknown. `failure` is the recorder's
    reason if the request failed. `remarks` name what was changed or ignored.
    """

    url: str
    method: str
    request_headers: Headers
    request_body: bytes
    status: int
    reason: str
    headers: Headers
    body: bytes | None
    address: str | None = None
    date: str | None = None
    body_bytes: int | None = None
    cut: str | None = None
    failure: str | None = None
    remarks: tuple[str, ...] = ()

    @property
    def is_page(self) -> bool:
        """Returns whether it is an HTML document with a body."""
        return self.method == "GET" and self.status == 200 and self.is_html and bool(self.body)

    @property
    def is_html(self) -> bool:
        return is_html(named(self.headers, "content-type") or "")


@dataclass(frozen=True)
class LeftOut:
    """An answer that is not imported: its URL, or its place in the file, and the reason.

    `page` is the exchange if it is an HTML page without its body.
    """

    place: str
    reason: str
    page: Exchange | None = None

    def __str__(self) -> str:
        return f"{shown(self.place)}: {printable(self.reason)}"


@dataclass(frozen=True)
class Imported:
    """The contents of another tool's file, in its order; `start_url` is the start page that it gives, or None.

    `remarks` name answers that are imported with a change, or incomplete. `order` is the order of the file: that of the
    requests, nearly so ("file": written during recording), or none.
    """

    kind: str
    tool: str | None
    start_url: str | None
    answers: tuple[Exchange | LeftOut, ...]
    remarks: tuple[str, ...] = ()
    order: Order = "file"

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        return tuple(each for each in self.answers if isinstance(each, Exchange))

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        return tuple(each for each in self.answers if isinstance(each, LeftOut))


def shown(place: str) -> str:
    """Returns a URL for messages: without credentials, with control characters escaped, and shortened if long."""
    text = printable(place.replace(credentials(place), "", 1))
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 1]}…"


def in_order(exchanges: Sequence[Exchange], start_url: str | None) -> list[Exchange]:
    """Returns the exchanges with the start page first, because a replay starts with the first page of a recording."""
    first = [each for each in exchanges if each.url == start_url]
    return [*first, *(each for each in exchanges if each.url != start_url)]


def write(writer: WARCWriter, exchange: Exchange) -> None:
    """Writes a response record, with WARC-IP-Address if the address is known, and its request record."""
    dated = {"WARC-Date": exchange.date} if exchange.date else {}
    known = {
        **({"WARC-IP-Address": exchange.address} if exchange.address else {}),
        **({"WARC-Truncated": "unspecified"} if exchange.cut else {}),
    }
    body = exchange.body or b""
    response = writer.create_warc_record(
        exchange.url,
        "response",
        payload=BytesIO(body),
        length=len(body),
        http_headers=RawHeaders(
            f"{exchange.status} {exchange.reason}".rstrip(" "), list(exchange.headers), protocol="HTTP/1.1"
        ),
        warc_headers_dict={**dated, **known},
    )
    writer.write_record(response)
    request = writer.create_warc_record(
        exchange.url,
        "request",
        payload=BytesIO(exchange.request_body),
        length=len(exchange.request_body),
        http_headers=RawHeaders(
            f"{exchange.method} {target(exchange.url)} HTTP/1.1", list(exchange.request_headers), is_http_request=True
        ),
        warc_headers_dict={**dated, "WARC-Concurrent-To": response.rec_headers.get_header("WARC-Record-ID")},
    )
    writer.write_record(request)
