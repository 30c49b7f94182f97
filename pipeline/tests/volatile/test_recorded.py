"""Responses of a recording, as the learner reads them."""

import gzip
import tracemalloc
from io import BytesIO
from pathlib import Path

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from eyelevel.volatile import recorded as module
from eyelevel.volatile.learning import Recorded
from eyelevel.volatile.recorded import recorded

URL = "https://a.example/j?cb=f"
SCRIPT = "text/javascript"


def write(path: Path, body: bytes, kind: str = SCRIPT, coding: str | None = None, url: str = URL) -> Path:
    fields = [("Content-Type", kind), *([] if coding is None else [("Content-Encoding", coding)])]
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        http = StatusAndHeaders("200 OK", fields, protocol="HTTP/1.1")
        payload, length = BytesIO(body), len(body)
        record = writer.create_warc_record(url, "response", payload=payload, length=length, http_headers=http)
        writer.write_record(record)
    return path


def write_redirect(path: Path, location: str | None, url: str = URL, status: str = "302 Found") -> Path:
    fields = [] if location is None else [("Location", location)]
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        http = StatusAndHeaders(status, fields, protocol="HTTP/1.1")
        writer.write_record(writer.create_warc_record(url, "response", payload=BytesIO(), length=0, http_headers=http))
    return path


def test_a_known_coding_is_undone(tmp_path: Path) -> None:
    assert recorded(write(tmp_path / "a.warc.gz", b"f()")) == [Recorded(URL, b"f()", script=True)]
    zipped = write(tmp_path / "b.warc.gz", gzip.compress(b"f()"), coding="gzip")
    assert recorded(zipped) == [Recorded(URL, b"f()", script=True)]


def test_a_script_in_another_coding_is_sealed_and_a_picture_is_not(tmp_path: Path) -> None:
    for coding in ("br", "zstd"):
        coded = write(tmp_path / "a.warc.gz", b"\x8b\x03", coding=coding)
        assert recorded(coded) == [Recorded(URL, b"\x8b\x03", script=True, sealed=True)]
    assert recorded(write(tmp_path / "b.warc.gz", b"\x8b", "image/png", "br")) == [Recorded(URL, b"\x8b")]


def test_a_script_that_is_too_large_to_decode_is_sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 3)
    assert [response.sealed for response in recorded(write(tmp_path / "a.warc.gz", b"f()"))] == [False]
    assert [response.sealed for response in recorded(write(tmp_path / "b.warc.gz", b"f();"))] == [True]


def test_a_body_that_unpacks_to_more_than_the_limit_is_compared_as_it_was_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 1 << 20)
    bomb = gzip.compress(bytes(160 << 20))
    path = write(tmp_path / "a.warc.gz", bomb, coding="gzip")
    tracemalloc.start()
    found = recorded(path)
    _, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found == [Recorded(URL, bomb, script=True, sealed=True)]
    # one block of 16 KiB unpacks to 16 MiB, of which there are a few copies
    assert peak_bytes < 64 << 20


def test_a_url_in_angle_brackets_is_read_without_them(tmp_path: Path) -> None:
    assert recorded(write(tmp_path / "a.warc.gz", b"f()", url=f"<{URL}>")) == [Recorded(URL, b"f()", True)]


def test_of_a_redirect_the_answer_is_where_it_leads(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    assert recorded(write_redirect(path, "https://b.example/")) == [Recorded(URL, b"https://b.example/")]
    assert recorded(write_redirect(path, None)) == []
    assert recorded(write_redirect(path, "/other", status="304 Not Modified")) == []


def test_a_redirect_between_http_and_https_is_no_answer(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    assert recorded(write_redirect(path, "https://a.example/x", url="http://a.example/x")) == []
    assert recorded(write_redirect(path, "http://a.example/x", url="https://a.example/x")) == []
    assert recorded(write_redirect(path, "http://b.example/x", url="https://a.example/x")) != []
    assert recorded(write_redirect(path, "https://a.example/x", url="https://a.example/x")) != []
    assert recorded(write_redirect(path, "//a.example/y", url="http://a.example/x")) != []


def test_a_redirect_to_an_invalid_address_is_compared_as_it_is(tmp_path: Path) -> None:
    found = recorded(write_redirect(tmp_path / "a.warc.gz", "http://[::1/"))
    assert found == [Recorded(URL, b"http://[::1/")]
