"""WARC files of other tools: pointers to bodies are resolved, and POST that was stored as GET is restored."""

import gzip
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
    told = warc.imported()
    assert told.exit_code == 0, told.output
    for record in records(warc.path.with_name("out.warc.gz")):
        if record.rec_type == "response" and target_of(record) == url:
            http = record.http_headers
            return http.statusline, {name.lower(): value for name, value in http.headers}, body_of(record).read()
    raise AssertionError(f"{url} was not imported: {told.stderr}")


def original(warc: Warc) -> None:
    """A picture that was sent in chunks."""
    fields = [("Content-Type", "image/png"), ("Transfer-Encoding", "chunked"), ("X-Which", "first")]
    warc.add("response", PICTURE_URL, FIRST, fields=fields, body=b"9\r\n" + PICTURE + b"\r\n0\r\n\r\n")


OTHER = "https://b.example/moss.png"
POINTERS: dict[str, dict[str, str]] = {
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
    told = warc.imported()
    assert told.exit_code == 0, told.output
    assert f"{OTHER}: it points to a body that is not in the file" in told.stderr


def asked(warc: Warc, url: str) -> list[tuple[str, bytes, dict[str, str]]]:
    told = warc.imported()
    assert told.exit_code == 0, told.output
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


def test_a_file_that_breaks_off_or_is_damaged_is_named_and_leaves_nothing(warc: Warc) -> None:
    original(warc)
    warc.imported()
    out = warc.path.with_name("out.warc.gz")
    whole = warc.path.read_bytes()
    plain = gzip.decompress(whole)
    for data in (whole[:-12], whole[:-60] + bytes(50), plain[:-20], plain[: plain.index(b"sha1:AAAA")]):
        out.unlink(missing_ok=True)
        warc.path.write_bytes(data)
        told = imported(warc.path)
        assert isinstance(told.exception, BadInputError), told.output
        assert str(told.exception).startswith(f"{warc.path} is damaged (")
        assert not list(warc.path.parent.glob("out*"))


def test_a_recording_of_this_recorder_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "own.warc.gz"
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        writer.write_record(writer.create_warcinfo_record(path.name, {"eyelevel-chance-seed": "7"}))
    told = imported(path)
    assert str(told.exception) == f"{path} is a recording of eyelevel record already; use it as it is."
