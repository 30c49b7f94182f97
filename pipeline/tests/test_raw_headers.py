"""What is read of an HTTP head is written as it was, byte by byte."""

from pathlib import Path

from eyelevel.record.write import Part, write_recording
from eyelevel.recorded import records, responses
from eyelevel.recording import chance_seed
from eyelevel.replay.pictures import recorded_screenshot
from eyelevel.volatile.recorded import recorded as learned

HEAD = b"HTTP/1.1 200 N\xc3\xa3o \xe9 \xc3\xa0\r\nA: \xe9;b=\xc3\xa0\r\nB: \x85\xa0\r\nContent-Type: text/html\r\n\r\n"
URL = "https://a.example/"


def recorded(path: Path, *blocks: tuple[str, bytes]) -> Path:
    records = []
    for kind, block in blocks:
        name = "WARC-Record-ID" if kind == "response" else "WARC-Concurrent-To"
        head = f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {URL}\r\n{name}: <urn:uuid:1>\r\n"
        records.append(f"{head}Content-Length: {len(block)}\r\n\r\n".encode() + block + b"\r\n\r\n")
    path.write_bytes(b"".join(records))
    return path


def test_a_recording_keeps_bytes_outside_ascii(tmp_path: Path) -> None:
    asked = b"GET /\xe9 HTTP/1.1\r\nX: \xc3\xa0\r\n\r\n"
    source = recorded(tmp_path / "a.warc", ("response", HEAD + b"moss"), ("request", asked))
    out = tmp_path / "out.warc"
    write_recording([Part([source])], out, page=URL, fields={"software": "test"})
    for file in (source, out):
        found = {record.rec_type: record for record in records(file) if record.http_headers}
        assert set(found) == {"response", "request"}
    (response,) = responses(out)
    assert (response.status, response.media_type, response.body_bytes) == (200, "text/html", 4)
    copied = {r.rec_type: r.http_headers.to_ascii_bytes() for r in records(out) if r.http_headers}
    assert copied == {"response": HEAD, "request": asked}


def test_heads_that_are_no_http_1_are_read(tmp_path: Path) -> None:
    odd = [b"HTTP/2 200\r\n\r\nmoss", b"ICY 200 OK\r\n\r\nx", b"HTTP/1.1 200 OK\nA: b\n c\nno colon\n\nx"]
    path = recorded(tmp_path / "a.warc", *(("response", block) for block in odd))
    assert [each.status for each in responses(path)] == [200, 200, 200]
    assert [record.http_headers.headers for record in records(path)][2] == [("A", "b c")]


def test_all_readers_of_a_recording_take_any_method_and_bytes(tmp_path: Path) -> None:
    moved = b"HTTP/1.1 302 \xe9\r\nLocation: /caf\xe9\r\n\r\n"
    path = recorded(tmp_path / "a.warc", ("request", b"PROPFIND / HTTP/1.1\r\n\r\n"), ("response", moved))
    assert [each.body for each in learned(path)] == [b"/caf\xe9"]
    assert recorded_screenshot(path) is None
    assert chance_seed(path) is None
