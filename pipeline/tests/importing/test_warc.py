"""WARC files of other tools: pointers to bodies are resolved, and POST that was stored as GET is restored."""

import base64
import gzip
import hashlib
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from eyelevel.errors import BadInputError
from eyelevel.importing.command import import_command
from eyelevel.recorded import body_of, records, target_of

DATE = "2026-11-20T10:00:00Z"
PAGE_URL, PICTURE_URL = "https://a.example/", "https://a.example/moss.png"
PICTURE = b"\x89PNG moss"
FIRST = {"WARC-Record-ID": "<urn:uuid:1>", "WARC-Date": DATE, "WARC-Payload-Digest": "sha1:AAAA"}
Fields = Sequence[tuple[str, str]]


def digest_of(body: bytes, algorithm: str) -> bytes:
    return base64.b32encode(hashlib.new(algorithm, body).digest())


class Warc:
    """A WARC file with a page, to which records are added."""

    def __init__(self, path: Path) -> None:
        self.path, self._file = path, BytesIO()
        self._writer = WARCWriter(self._file, gzip=True)
        self.add("response", PAGE_URL, fields=[("Content-Type", "text/html")], body=b"<title>a</title>")

    def add(
        self,
        kind: str,
        url: str,
        head: Mapping[str, str] | None = None,
        *,
        status: str | None = "200 OK",
        fields: Fields = (),
        body: bytes = b"",
    ) -> None:
        """`status` None: the record holds no HTTP header."""
        is_request = kind == "request"
        http = None
        if status is not None:
            protocol = "" if is_request else "HTTP/1.1"
            http = StatusAndHeaders(status, list(fields), protocol=protocol, is_http_request=is_request)
        record = self._writer.create_warc_record(
            url, kind, payload=BytesIO(body), length=len(body), http_headers=http, warc_headers_dict=dict(head or {})
        )
        self._writer.write_record(record)

    def raw(self, url: bytes, block: bytes, *, head: bytes = b"", kind: bytes = b"response", more: int = 0) -> None:
        """A record as it is, with a Content-Length that is wrong by `more`."""
        lines = [b"WARC/1.0", b"WARC-Type: " + kind, b"WARC-Target-URI: " + url, b"WARC-Date: " + DATE.encode()]
        length = b"Content-Length: %d" % (len(block) + more)
        record = b"\r\n".join([*lines, *([head] if head else []), length]) + b"\r\n\r\n" + block + b"\r\n\r\n"
        self._file.write(gzip.compress(record))

    def imported(self) -> Result:
        self.path.write_bytes(self._file.getvalue())
        return imported(self.path)


@pytest.fixture
def warc(tmp_path: Path) -> Warc:
    return Warc(tmp_path / "a.warc.gz")


def imported(source: Path) -> Result:
    return CliRunner().invoke(import_command, [str(source), "-o", str(source.with_name("out.warc.gz"))])


def answer(warc: Warc, url: str) -> tuple[str, dict[str, str], bytes]:
    """Status line, header and body, chunks undone, of what was imported."""
    result = warc.imported()
    assert result.exit_code == 0, result.output
    for record in records(warc.path.with_name("out.warc.gz")):
        if record.rec_type == "response" and target_of(record) == url:
            http = record.http_headers
            return http.statusline, {name.lower(): value for name, value in http.headers}, body_of(record).read()
    raise AssertionError(f"{url} was not imported: {result.stderr}")


def original(warc: Warc) -> None:
    """A picture that was sent in chunks."""
    fields = [("Content-Type", "image/png"), ("Transfer-Encoding", "chunked"), ("X-Which", "first")]
    warc.add("response", PICTURE_URL, FIRST, fields=fields, body=b"9\r\n" + PICTURE + b"\r\n0\r\n\r\n")


OTHER = "https://b.example/moss.png"
POINTERS: dict[str, dict[str, str]] = {
    "digest of another algorithm": {"WARC-Payload-Digest": f"sha256:{hashlib.sha256(PICTURE).hexdigest()}"},
    "URL alone": {"WARC-Refers-To-Target-URI": PICTURE_URL},
    "URL and date with a fraction": {
        "WARC-Refers-To-Target-URI": PICTURE_URL,
        "WARC-Refers-To-Date": DATE.replace("Z", ".000Z"),
    },
    "identifier": {"WARC-Refers-To": "<urn:uuid:1>"},
    "digest": {"WARC-Payload-Digest": "SHA1:aaaa"},
    "URL and date": {"WARC-Refers-To-Target-URI": PICTURE_URL, "WARC-Refers-To-Date": DATE},
    "URL and date, digest of another algorithm": {
        "WARC-Refers-To-Target-URI": PICTURE_URL,
        "WARC-Refers-To-Date": DATE,
        "WARC-Payload-Digest": "sha256:bb",
    },
}


@pytest.mark.parametrize("by", POINTERS)
def test_a_pointer_keeps_its_own_header_and_gets_the_body_as_it_is_stored(warc: Warc, by: str) -> None:
    original(warc)
    fields = [("Content-Type", "image/x"), ("Content-Length", "9"), ("X-Which", "second")]
    warc.add("revisit", OTHER, POINTERS[by], fields=fields)
    status, header, body = answer(warc, OTHER)
    assert (status, body) == ("200 OK", PICTURE)
    assert header == {"content-type": "image/x", "x-which": "second", "transfer-encoding": "chunked"}


@pytest.mark.parametrize("status", [None, "304 Not Modified"])
def test_a_pointer_without_a_header_of_its_own_has_that_of_the_body(warc: Warc, status: str | None) -> None:
    original(warc)
    warc.add("revisit", OTHER, POINTERS["identifier"], status=status)
    found, header, body = answer(warc, OTHER)
    assert (found, header["x-which"], body) == ("200 OK", "first", PICTURE)


@pytest.mark.parametrize(
    "head",
    [
        {"WARC-Refers-To": "<urn:uuid:2>"},
        {"WARC-Refers-To-Target-URI": PICTURE_URL, "WARC-Refers-To-Date": "2026-11-20T10:00:01Z"},
        {**POINTERS["URL and date"], "WARC-Payload-Digest": "sha1:BBBB"},
    ],
)
def test_a_pointer_to_a_body_that_is_not_in_the_file_is_named(warc: Warc, head: dict[str, str]) -> None:
    original(warc)
    warc.add("revisit", OTHER, head)
    result = warc.imported()
    assert result.exit_code == 0, result.output
    assert f"{OTHER}: it points to a body that is not in the file" in result.stderr


def test_a_pointer_to_a_pointer_has_the_body_of_the_last(warc: Warc) -> None:
    original(warc)
    for number, target in ((2, 1), (3, 2), (4, 5), (5, 4)):  # the last two refer to each other
        head = {"WARC-Record-ID": f"<urn:uuid:{number}>", "WARC-Refers-To": f"<urn:uuid:{target}>"}
        warc.add("revisit", f"https://b.example/{number}.png", head, fields=[("Content-Type", "image/png")])
    assert answer(warc, "https://b.example/3.png")[2] == PICTURE
    left_out = [line for line in warc.imported().stderr.splitlines() if line.startswith("Left out")]
    nowhere = "it points to a body that is not in the file"
    assert left_out == [f"Left out: https://b.example/{number}.png: {nowhere}." for number in (4, 5)]


def test_a_pointer_that_has_a_body_keeps_it_where_its_reference_is_not_there(warc: Warc) -> None:
    warc.raw(b"https://b.example/s.css", FINAL, head=b"WARC-Refers-To: <urn:uuid:9>", kind=b"revisit")
    assert answer(warc, "https://b.example/s.css")[2] == b"h1{}"


def test_an_answer_that_only_says_not_modified_and_refers_to_nothing_there_means_its_url(warc: Warc) -> None:
    warc.raw(b"https://b.example/s.css", FINAL)
    warc.raw(b"https://b.example/s.css", NOT_MODIFIED, head=b"WARC-Refers-To: <urn:uuid:9>", kind=b"revisit")
    assert "Left out" not in warc.imported().stderr


def test_a_line_of_a_header_without_a_colon_is_named(warc: Warc) -> None:
    warc.raw(b"https://b.example/s.css", FINAL.replace(b"\r\n\r\n", b"\r\nnonsense\r\n\r\n"))
    said = "Note: https://b.example/s.css: the line 'nonsense' of its header has no colon; it is left out.\n"
    assert said in warc.imported().stderr


OTHER_BODY = b"h2{}"
HEX = hashlib.sha256(OTHER_BODY).hexdigest().encode()


@pytest.mark.parametrize(
    ("digest", "name"),
    [
        (b"WARC-Payload-Digest: sha1:" + digest_of(OTHER_BODY, "sha1"), "WARC-Payload-Digest does not match its body"),
        (b"WARC-Payload-Digest: SHA-256:" + HEX, "WARC-Payload-Digest does not match its body"),
        (b"WARC-Payload-Digest: sha1:AAAA", "WARC-Payload-Digest does not match its body"),
        (b"WARC-Block-Digest: SHA256:" + HEX, "WARC-Block-Digest does not match its record"),
    ],
)
def test_a_body_that_is_not_that_of_its_digest_is_named(warc: Warc, digest: bytes, name: str) -> None:
    warc.raw(b"https://b.example/s.css", FINAL, head=digest)
    assert f"Note: https://b.example/s.css: its {name}; its body may be damaged.\n" in warc.imported().stderr


def test_a_digest_may_be_of_the_body_without_its_chunks_or_codings(warc: Warc) -> None:
    zipped = gzip.compress(b"h1{}")
    chunked = b"%x\r\n%b\r\n0\r\n\r\n" % (len(zipped), zipped)
    head = b"\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
    for number, body in enumerate((b"h1{}", zipped, chunked)):
        digest = b"WARC-Payload-Digest: sha1:" + digest_of(body, "sha1")
        warc.raw(b"https://b.example/%d" % number, FINAL[:-8] + head + chunked, head=digest)
    result = warc.imported()
    assert result.exit_code == 0, result.output
    assert "Note" not in result.stderr


def asked(warc: Warc, url: str) -> list[tuple[str, bytes, dict[str, str]]]:
    result = warc.imported()
    assert result.exit_code == 0, result.output
    return [
        (record.http_headers.protocol, record.raw_stream.read(), dict(record.http_headers.headers))
        for record in records(warc.path.with_name("out.warc.gz"))
        if record.rec_type == "request" and target_of(record) == url
    ]


def test_a_post_that_was_stored_as_get_is_a_post_whose_body_is_known_where_the_url_holds_it(warc: Warc) -> None:
    for number, query in ((1, "__wb_post_data=AAE="), (2, "a=1&b=2")):
        url, name = f"https://a.example/api?__wb_method=POST&{query}", f"<urn:uuid:{number}>"
        warc.add("response", url, {"WARC-Record-ID": name}, body=b"{}")
        fields = [("Accept", "*/*"), ("Content-Length", "7")]
        warc.add("request", url, {"WARC-Concurrent-To": name}, status="GET /api HTTP/1.1", fields=fields)
    assert asked(warc, "https://a.example/api") == [
        ("POST", b"\x00\x01", {"Accept": "*/*", "Content-Length": "2"}),
        ("POST", b"", {"Accept": "*/*", "Transfer-Encoding": "chunked"}),
    ]


def test_a_request_that_the_response_names_is_found(warc: Warc) -> None:
    url = "https://a.example/api"
    fields = [("Content-Length", "3")]
    warc.add(
        "request", url, {"WARC-Record-ID": "<urn:uuid:7>"}, status="POST /api HTTP/1.1", fields=fields, body=b"a=1"
    )
    warc.add("response", url, {"WARC-Concurrent-To": "<urn:uuid:7>"}, body=b"{}")
    assert asked(warc, url) == [("POST", b"a=1", {"Content-Length": "3"})]


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]


def damaged(parts: list[bytes]) -> dict[str, tuple[bytes, str]]:
    """A file of three records, the page first, with the damage, and what is said of it."""
    plain, zipped = b"".join(parts), [gzip.compress(part) for part in parts]
    whole, stream = b"".join(zipped), gzip.compress(plain)
    second, third = len(zipped[0]), len(zipped[0] + zipped[1])
    two, three = "https://b.example/2.css", "https://b.example/3.css"
    return {
        "cut": (plain[:-12], f"{three}: the file ends within its record"),
        "cut in a head": (plain[: plain.index(b"3.css")], "record 3: the file ends within its record"),
        "cut member": (whole[:-20], f"{three}: the file ends within its record"),
        "cut checksum": (whole[:-3], "record 4: the file ends there"),
        "cut stream": (stream[:-20], f"{two}: the file ends within its record"),
        "wrong code": (flipped(whole, second + 12), "record 2: the file is damaged within its record"),
        "wrong checksum": (flipped(whole, third - 6), f"{two}: the file is damaged within its record"),
        "wrong header": (flipped(whole, second + 2), "record 2: the file is damaged there"),
        "wrong checksum of all": (flipped(stream, len(stream) - 6), f"{three}: the file is damaged within its record"),
    }


@pytest.mark.parametrize("name", damaged([b"", b"2.css", b"3.css"]))
def test_a_damaged_record_is_named_and_stops_no_other(warc: Warc, name: str) -> None:
    for number in (2, 3):
        warc.raw(b"https://b.example/%d.css" % number, FINAL)
    warc.imported()
    parts = [b"WARC/" + part for part in gzip.decompress(warc.path.read_bytes()).split(b"WARC/")[1:]]
    data, reason = damaged(parts)[name]
    warc.path.write_bytes(data)
    result = imported(warc.path)
    assert result.exit_code == 0, result.output
    assert f"Left out: {reason}.\n" in result.stderr
    doubt = "Note: https://a.example/ and 1 more: the gzip data of its record is damaged"
    assert (doubt in result.stderr) == ("of all" in name)
    count = len(list(records(warc.path.with_name("out.warc.gz"))))
    assert count == {"cut checksum": 7, "cut stream": 3}.get(name, 5)
    result = CliRunner().invoke(import_command, [str(warc.path), "-o", str(warc.path.with_name("b.gz")), "--strict"])
    assert f"  {reason}\n" in str(result.exception)


def test_a_damaged_file_without_a_page_is_refused_by_one_sentence_and_leaves_nothing(warc: Warc) -> None:
    warc.imported()
    whole = warc.path.read_bytes()
    warc.path.with_name("out.warc.gz").unlink()
    plain = gzip.decompress(whole)
    for data in (whole[:-12], flipped(whole, 30), flipped(whole, len(whole) - 6), plain[:-20], plain[:60], plain[:5]):
        warc.path.write_bytes(data)
        result = imported(warc.path)
        assert isinstance(result.exception, BadInputError), result.output
        assert str(result.exception).startswith(f"{warc.path} ")
        assert "\n" not in str(result.exception)
        assert "Error -3" not in str(result.exception)
        assert not list(warc.path.parent.glob("out*"))


def test_a_recording_of_this_recorder_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "own.warc.gz"
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        writer.write_record(writer.create_warcinfo_record(path.name, {"eyelevel-chance-seed": "7"}))
    result = imported(path)
    assert str(result.exception) == f"{path} is already a recording of eyelevel record; use it without importing."


def test_bytes_outside_ascii_survive_and_urls_are_written_as_browsers_send_them(warc: Warc) -> None:
    head = b"HTTP/1.1 404 N\xc3\xa3o \xe9 \xc3\xa0\r\nSet-Cookie: \xe3\xd2=\xc3\xa0\r\nX-\xe9: y\r\n\r\n"
    warc.raw(b"https://b.example/Otto_\xe2\x80\x93 1|2.png?\xe9#top", head + b"no")
    result = warc.imported()
    assert result.exit_code == 0, result.output
    out = gzip.decompress(warc.path.with_name("out.warc.gz").read_bytes())
    assert head + b"no" in out
    assert b"WARC-Target-URI: https://b.example/Otto_%E2%80%93%201|2.png?%E9\r\n" in out
    assert b"GET /Otto_%E2%80%93%201|2.png?%E9 HTTP/1.1\r\n" in out


FINAL = b"HTTP/1.1 200 OK\r\nContent-Type: text/css\r\n\r\nh1{}"
LEFT_OUT: dict[str, tuple[bytes, str]] = {
    "interim": (b"HTTP/1.1 100 Continue\r\n\r\n", "it has only an interim answer (status 100), and not the final one"),
    "no HTTP": (b"ICY 200 OK\r\n\r\nx", "its response is not an HTTP message: it begins with 'ICY 200 OK'"),
    "empty": (b"", "its response is not an HTTP message: it is empty"),
    "status": (b"HTTP/1.1 099 x\r\n\r\nx", "its status is 99, which is not an HTTP status"),
    "unchanged": (
        b"HTTP/1.1 304 Not Modified\r\n\r\n",
        "it says only that nothing changed (304), and the file has no body for its URL",
    ),
}


@pytest.mark.parametrize("name", LEFT_OUT)
def test_a_record_that_cannot_be_used_is_left_out_and_stops_no_other(warc: Warc, name: str) -> None:
    block, reason = LEFT_OUT[name]
    warc.raw(b"https://b.example/odd", block)
    warc.raw(b"https://b.example/s.css", FINAL)
    result = warc.imported()
    assert f"Left out: https://b.example/odd: {reason}.\n" in result.stderr
    assert answer(warc, "https://b.example/s.css")[2] == b"h1{}"


@pytest.mark.parametrize(
    "before",
    [
        b"HTTP/1.1 100 Continue\r\n\r\n",
        b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n",
        b"HTTP/1.1 200 Connection established\r\n\r\n",
    ],
)
def test_the_final_answer_after_interim_ones_is_used(warc: Warc, before: bytes) -> None:
    warc.raw(b"https://b.example/s.css", before + FINAL)
    assert answer(warc, "https://b.example/s.css") == ("200 OK", {"content-type": "text/css"}, b"h1{}")


def test_a_version_that_recorders_write_is_read(warc: Warc) -> None:
    warc.raw(b"https://b.example/s.css", FINAL.replace(b"HTTP/1.1", b"HTTP/2"))
    assert answer(warc, "https://b.example/s.css")[0] == "200 OK"


CUT: dict[str, tuple[bytes, bytes, str]] = {
    "truncated": (b"WARC-Truncated: length", FINAL, "WARC-Truncated: length"),
    "length": (
        b"",
        FINAL.replace(b"\r\n\r\n", b"\r\nContent-Length: 9\r\n\r\n"),
        "its body is cut short: 4 of 9 bytes",
    ),
    "chunks": (
        b"",
        FINAL.replace(b"\r\n\r\nh1{}", b"\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nh1{}\r\n"),
        "its body is cut short: its last chunk is missing",
    ),
    "segment": (b"WARC-Segment-Number: 1", FINAL, "it continues in other records (WARC-Segment-Number)"),
}


@pytest.mark.parametrize("name", CUT)
def test_a_body_that_is_not_whole_is_named_here_and_in_the_recording(warc: Warc, name: str) -> None:
    head, block, reason = CUT[name]
    warc.raw(b"https://b.example/s.css", block, head=head)
    result = warc.imported()
    assert f"Note: https://b.example/s.css: {reason}.\n" in result.stderr
    assert b"WARC-Truncated: " in gzip.decompress(warc.path.with_name("out.warc.gz").read_bytes())


NOT_MODIFIED = b"HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n"
EMPTY_DIGEST = b"WARC-Payload-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"
PROFILE = b"WARC-Profile: http://netpreserve.org/warc/1.1/revisit/server-not-modified"


@pytest.mark.parametrize(
    ("kind", "head", "block"),
    [
        (b"revisit", b"", NOT_MODIFIED),
        (b"revisit", EMPTY_DIGEST, NOT_MODIFIED),
        (b"revisit", PROFILE, b""),
        (b"response", b"", NOT_MODIFIED),
    ],
)
def test_an_answer_that_only_says_not_modified_has_the_body_of_the_earlier_one(
    warc: Warc, kind: bytes, head: bytes, block: bytes
) -> None:
    for body in (b"h1{}", b"h2{}"):
        warc.raw(b"https://b.example/s.css", FINAL.replace(b"h1{}", body))
    warc.raw(b"https://b.example:443/s.css", block, head=head, kind=kind)
    warc.raw(b"https://b.example/s.css", FINAL.replace(b"h1{}", b"h3{}"))
    warc.imported()
    found = [r.raw_stream.read() for r in records(warc.path.with_name("out.warc.gz")) if r.rec_type == "response"]
    assert found[1:] == [b"h1{}", b"h2{}", b"h2{}", b"h3{}"]


@pytest.mark.parametrize("more", [-2, 3000])
def test_a_record_of_a_wrong_length_stops_no_other(warc: Warc, more: int) -> None:
    warc.raw(b"https://b.example/odd", FINAL, more=more)
    warc.raw(b"https://b.example/s.css", FINAL)
    assert answer(warc, "https://b.example/s.css")[2] == b"h1{}"
    result = warc.imported()
    if more < 0:
        reason = "the Content-Length of its record does not match its block"
        assert f"Left out: https://b.example/odd: {reason}.\n" in result.stderr
    else:  # the gzip member ends it
        assert "Note: https://b.example/odd: its record lacks 3,000 bytes of its Content-Length.\n" in result.stderr


def test_records_without_line_ends_after_them_are_read(warc: Warc) -> None:
    warc.raw(b"https://b.example/s.css", FINAL)
    warc.raw(b"https://b.example/t.css", FINAL)
    warc.imported()
    whole = warc.path.read_bytes()
    bare = [gzip.decompress(b"\x1f\x8b" + part).rstrip(b"\r\n") for part in whole.split(b"\x1f\x8b")[1:]]
    for data in (b"".join(map(gzip.compress, bare)), gzip.compress(b"".join(bare)), b"".join(bare)):
        warc.path.write_bytes(data)
        result = imported(warc.path)
        assert result.exit_code == 0, result.output
        assert "Left out" not in result.stderr
        assert len(list(records(warc.path.with_name("out.warc.gz")))) == 7


def test_a_request_that_names_no_response_belongs_to_the_next_of_its_url(warc: Warc) -> None:
    url = "https://a.example/api"
    for method in ("POST", "PROPFIND"):
        warc.raw(url.encode(), f"{method} /api HTTP/1.1\r\n\r\n".encode(), kind=b"request")
        warc.raw(url.encode(), b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nx")
    assert [method for method, _, _ in asked(warc, url)] == ["POST", "PROPFIND"]


def test_an_interim_answer_leaves_its_request_to_the_final_one(warc: Warc) -> None:
    url = "https://a.example/api"
    warc.raw(url.encode(), b"POST /api HTTP/1.1\r\n\r\n", kind=b"request")
    for block in (b"HTTP/1.1 100 Continue\r\n\r\n", FINAL):
        warc.raw(url.encode(), block)
    assert [method for method, _, _ in asked(warc, url)] == ["POST"]
    assert "Left out" not in warc.imported().stderr


def test_a_request_that_cannot_be_read_loses_no_answer(warc: Warc) -> None:
    for number, line in enumerate((b"", b"\0\1 / HTTP/1.1\r\n\r\n", b"(GET) /\r\n\r\n")):
        warc.raw(b"https://b.example/%d" % number, line, kind=b"request")
        warc.raw(b"https://b.example/%d" % number, FINAL)
    result = warc.imported()
    assert "Left out" not in result.stderr
    assert "Note: https://b.example/0 and 2 more: its request cannot be read; GET is assumed.\n" in result.stderr


def test_other_records_that_could_be_answers_are_named(warc: Warc) -> None:
    warc.raw(b"https://b.example/a.png", b"\x89PNG", kind=b"resource")
    warc.raw(b"urn:pageinfo:https://b.example/", b"{}", kind=b"resource")
    warc.raw(b"https://b.example/", b"a: b", kind=b"metadata")
    left_out = [line for line in warc.imported().stderr.splitlines() if line.startswith("Left out")]
    assert left_out == [
        "Left out: https://b.example/a.png: its record is of the type resource, which is not an HTTP response."
    ]


@pytest.mark.parametrize(
    "digest", [b"sha1:%b" % digest_of(b"h1{}", "sha1"), b"sha256:%b" % digest_of(b"h1{}", "sha256")]
)
def test_a_pointer_by_a_digest_that_the_response_does_not_name_is_resolved(warc: Warc, digest: bytes) -> None:
    warc.raw(b"https://b.example/s.css", FINAL)
    warc.raw(b"https://b.example/t.css", FINAL[:-4], head=b"WARC-Payload-Digest: " + digest, kind=b"revisit")
    assert answer(warc, "https://b.example/t.css")[2] == b"h1{}"


def test_data_that_is_not_a_record_is_named_and_stops_no_record(warc: Warc) -> None:
    warc.raw(b"https://b.example/s.css", FINAL)
    warc.imported()
    plain = gzip.decompress(warc.path.read_bytes())
    at = plain.index(b"WARC/", 9)
    warc.path.write_bytes(plain[:at] + b"garbage\r\n\r\n" + plain[at:] + b"garbage")
    result = imported(warc.path)
    left_out = [line for line in result.stderr.splitlines() if line.startswith("Left out")]
    assert left_out == [f"Left out: record {number}: it is not a WARC record." for number in (2, 4)]
    assert len(list(records(warc.path.with_name("out.warc.gz")))) == 5
