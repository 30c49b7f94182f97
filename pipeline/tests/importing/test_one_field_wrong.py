"""With one field of a file wrong, nothing ends in a traceback, nothing is lost silently, and the rest is imported."""

import copy
import json
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from warcio.warcwriter import WARCWriter

from eyelevel.errors import BadInputError
from eyelevel.importing.exchange import Exchange, Imported, LeftOut, in_order, write
from eyelevel.importing.har import read_har
from eyelevel.importing.limits import Budget
from eyelevel.importing.mahimahi import ProtobufError, read_exchange
from eyelevel.importing.opened import Plain
from eyelevel.importing.rules import imported
from eyelevel.importing.start import start_of
from eyelevel.importing.warc import read_warc
from eyelevel.raw_headers import raw_records

URLS = ("https://a.example/", "https://a.example/s.css", "https://a.example/moss.png")
TYPES = ("text/html", "text/css", "image/png")
BODIES = (b"<title>a</title><link href=/s.css><img src=/moss.png>", b"h1 { color: #384 }", b"\x89PNG\r\n\x1a\n moss")
ODD: list[Any] = [
    None, "", " ", "x", "é", "–\u200b", "\ud800", "a\r\nb: c", "\0", "-1", "1e9", "9" * 30, -1, 0, 1, 99, 204, 304, 1e9,
    float("inf"), True, [], [7], {}, {"name": 7}, "https://b.example:99999/", "https://[::1", "//x", "base64", "::1",
]  # fmt: skip
ODD_BYTES = [
    b"", b" ", b"x", b":", b"\xe9", "–".encode(), b"\0", b"a\rb", b"-1", b"0", b"9" * 30, b"1e9", b"304", b"100", b"<>",
    b"chunked", b"gzip", b"https://b.example:99999/", b"sha1:", b"HTTP/1.1 304 x", b"HTTP/1.1 100", b"HTTP/9 abc",
]  # fmt: skip
few = settings(max_examples=150)


def written(found: Imported) -> list[tuple[str, bytes]]:
    """What a reader of the WARC gets of the bodies, as they are stored."""
    try:
        start: str | None = start_of(found, None, source="file")
    except BadInputError:
        start = None
    file = BytesIO()
    writer = WARCWriter(file, gzip=True)
    for exchange in in_order(found.exchanges, start):
        write(writer, exchange)
    file.seek(0)
    records = ((record, record.raw_stream.read()) for record in raw_records(file))
    return [(r.rec_headers.get_header("WARC-Target-URI"), body) for r, body in records if r.rec_type == "response"]


def refused_or(read: Callable[[], Imported]) -> Imported | str:
    try:
        return read()
    except BadInputError as error:
        return str(error)


def check(found: Imported, odd: int, *, body_may_differ: bool) -> None:
    """The answer `odd` has its body, is named, or is another one; the others are as they were."""
    assert len(found.answers) == len(URLS)
    named = {URLS[odd] for remark in found.remarks if remark.startswith(URLS[odd])}
    for number, each in enumerate(found.answers):
        if number != odd:
            assert isinstance(each, Exchange)
            assert (each.url, each.body) == (URLS[number], BODIES[number])
        elif isinstance(each, LeftOut):
            assert each.reason
            assert str(each).isprintable()
        else:
            assert each.body == BODIES[number] or body_may_differ or named
    assert sorted(written(found)) == sorted((each.url, each.body or b"") for each in found.exchanges)


def entry(number: int) -> dict[str, Any]:
    body = BODIES[number]
    content: dict[str, Any] = {"size": len(body), "mimeType": TYPES[number], "text": body.decode("latin-1")}
    if number == 2:
        content |= {"text": "iVBORw0KGgogbW9zcw==", "encoding": "base64"}
    headers = [{"name": "Content-Type", "value": TYPES[number]}, {"name": "content-length", "value": str(len(body))}]
    return {
        "startedDateTime": f"2026-11-20T11:00:0{number}.5Z",
        "request": {
            "method": "GET",
            "url": URLS[number],
            "headers": [{"name": "Referer", "value": URLS[0]}] if number else [],
            "postData": {"mimeType": "text/plain", "text": ""},
        },
        "response": {"status": 200, "statusText": "OK", "headers": headers, "content": content},
        "serverIPAddress": "192.0.2.1",
    }


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    for key, held in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from paths(held, (*path, key))


@few
@given(st.sampled_from(range(3)), st.sampled_from(list(paths(entry(2)))), st.sampled_from(ODD))
def test_a_har(number: int, path: tuple[Any, ...], odd: Any) -> None:
    entries = [entry(index) for index in range(3)]
    held: Any = entries[number]
    try:
        for key in path[:-1]:
            held = held[key]
        held[path[-1]] = copy.deepcopy(odd)
    except (LookupError, TypeError):
        return  # this entry has no such field
    data = json.dumps({"log": {"entries": entries}}).encode()
    check(read_har(data, source="a.har"), number, body_may_differ="content" in path or path == ("response",))


def warc(number: int = 0, line: int | None = None, odd: bytes = b"", *, is_value: bool = True) -> Plain:
    """Three answers; of answer `number`, the line is replaced, or its value."""
    records = []
    for index, (url, kind, body) in enumerate(zip(URLS, TYPES, BODIES, strict=True)):
        http = [b"HTTP/1.1 200 OK", b"Content-Type: " + kind.encode(), b"Content-Length: %d" % len(body), b"X: y"]
        head = [
            b"WARC/1.0", b"WARC-Type: response", b"WARC-Record-ID: <urn:%d>" % index,
            b"WARC-Date: 2026-11-20T10:00:00Z", b"WARC-Target-URI: " + url.encode(),
            b"WARC-IP-Address: 192.0.2.1", b"WARC-Payload-Digest: sha1:AAAA",
        ]  # fmt: skip
        lines = [*head, *http]
        if index == number and line is not None:
            name, colon, _ = lines[line].partition(b": ")
            lines[line] = name + colon + odd if is_value and colon else odd
        block = b"\r\n".join(lines[len(head) :]) + b"\r\n\r\n" + body
        length = b"Content-Length: %d" % len(block)
        records.append(b"\r\n".join([*lines[: len(head)], length]) + b"\r\n\r\n" + block + b"\r\n\r\n")
    return Plain(b"".join(records))


@few
@given(st.sampled_from(range(3)), st.sampled_from(range(1, 11)), st.sampled_from(ODD_BYTES), st.booleans())
def test_a_warc(number: int, line: int, odd: bytes, is_value: bool) -> None:
    found = read_warc(warc(number, line, odd, is_value=is_value), source="a.warc", budget=Budget("a.warc"))
    check(found, number, body_may_differ=False)


@few
@given(st.sampled_from(range(3)), st.sampled_from([-9, -1, 1, 9, 999_999]), st.booleans())
def test_a_wrong_length_of_a_record(number: int, by: int, is_last: bool) -> None:
    parts = warc().data.split(b"WARC/1.0")[1:]
    at = parts[number].index(b"Content-Length: ") + len(b"Content-Length: ")
    length = parts[number][at:].partition(b"\r")[0]
    parts[number] = parts[number][:at] + b"%d" % (int(length) + by) + parts[number][at + len(length) :]
    data = b"".join(b"WARC/1.0" + part for part in parts)
    if is_last:
        data = data[: -len(b"\r\n\r\n")]
    check(read_warc(Plain(data), source="a.warc", budget=Budget("a.warc")), number, body_may_differ=False)


def field(number: int, value: bytes | int) -> bytes:
    if isinstance(value, int):
        return bytes([number << 3]) + varint(value)
    return bytes([number << 3 | 2]) + varint(len(value)) + value


def varint(value: int) -> bytes:
    return bytes([value]) if value < 128 else bytes([value & 127 | 128]) + varint(value >> 7)


NUMBERS = {"port": 443, "scheme": 2}
TEXTS = {
    "ip": b"192.0.2.1", "asked": b"GET /s.css HTTP/1.1", "host": b"Host", "name": b"a.example", "sent": b"",
    "status": b"HTTP/1.1 200 OK", "type": b"Content-Type", "kind": b"text/css", "body": BODIES[1],
}  # fmt: skip


def exchange(**changes: Any) -> bytes:
    v = {**NUMBERS, **TEXTS, **changes}
    request = field(1, v["asked"]) + field(2, field(1, v["host"]) + field(2, v["name"])) + field(3, v["sent"])
    response = field(1, v["status"]) + field(2, field(1, v["type"]) + field(2, v["kind"])) + field(3, v["body"])
    head = field(1, v["ip"]) + field(2, v["port"]) + field(3, v["scheme"])
    return head + field(4, request) + field(5, response)


@few
@given(
    st.one_of(
        st.tuples(st.sampled_from(sorted(TEXTS)), st.sampled_from(ODD_BYTES)),
        st.tuples(st.sampled_from(sorted(NUMBERS)), st.sampled_from([0, 1, 3, 80, 99_999, 1 << 63])),
    ),
    st.integers(0, 40),
)
def test_an_exchange_of_mahimahi(change: tuple[str, Any], cut: int) -> None:
    page = exchange(asked=b"GET / HTTP/1.1", kind=b"text/html", body=BODIES[0])
    for data in (exchange(**dict([change])), exchange()[: -cut - 1]):
        try:
            odd = read_exchange(data, "save.2")
        except ProtobufError:
            continue  # the folder's reader names the file
        first = read_exchange(page, "save.1")
        found = imported("Mahimahi folder", None, None, [first, odd], source="folder", order="none")
        assert len(found.answers) == 2
        assert (found.exchanges[0].url, found.exchanges[0].body) == (URLS[0], BODIES[0])
        for each in found.exchanges[1:]:
            assert each.body == BODIES[1] or change[0] == "body" or found.remarks or cut
        assert len(written(found)) == len(found.exchanges)


@few
@given(st.integers(0, 400), st.binary(max_size=4), st.booleans())
def test_bytes_that_are_wrong_anywhere_end_in_one_sentence_at_most(at: int, odd: bytes, is_har: bool) -> None:
    whole = json.dumps({"log": {"entries": [entry(1), entry(0)]}}).encode() if is_har else warc().data
    data = whole[:at] + odd + whole[at + len(odd) :]
    found = refused_or(
        lambda: read_har(data, source="a") if is_har else read_warc(Plain(data), source="a", budget=Budget("a"))
    )
    if isinstance(found, Imported):
        written(found)
    else:
        assert "\n" not in found
