"""Exchanges of Mahimahi, written by the protobuf library (make_files.py), are read by their documented fields."""

import gzip
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyelevel.errors import BadInputError
from eyelevel.importing.exchange import Exchange
from eyelevel.importing.mahimahi import ProtobufError, read_exchange, read_folder
from eyelevel.importing.start import start_of
from eyelevel.importing.wire import as_sent

FOLDER = Path(__file__).with_name("mahimahi")


def test_a_folder_has_urls_bodies_addresses_and_its_page() -> None:
    found = read_folder(FOLDER)
    assert found.kind == "Mahimahi folder"
    assert start_of(found, None, source="mahimahi") == "https://garden.example/"
    picture, page = found.exchanges
    assert picture.url == "http://img.example:8080/moss.png?a=1"
    # as it was sent, in chunks
    assert picture.body == b"9\r\n\x89PNG moss\r\n0\r\n\r\n"
    assert ("Transfer-Encoding", "chunked") in picture.headers
    assert (picture.address, picture.status, picture.reason) == ("192.0.2.2", 200, "OK")
    assert (page.method, page.address, page.is_page) == ("GET", "192.0.2.1", True)
    assert page.request_headers == (("Host", "garden.example"),)


def test_an_empty_folder_and_a_damaged_file_are_named(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="has no files; give a folder that mm-webrecord wrote"):
        read_folder(tmp_path)
    whole = (FOLDER / "save.B2xLQe").read_bytes()
    (tmp_path / "save.x").write_bytes(whole[:-3])
    with pytest.raises(
        BadInputError, match=r"save\.x: it cannot be read as an exchange of Mahimahi \(it is truncated\)"
    ):
        read_folder(tmp_path)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "no request"),
        (b"hello", "not a protocol buffer"),
        (b"\x08" + b"\xff" * 11, "ends within a number"),
        (b"\x22\x00\x2a\x00", "its request begins with ''"),
    ],
)
def test_data_that_is_not_an_exchange_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(ProtobufError, match=words):
        read_exchange(data)


@given(st.binary(max_size=200))
def test_no_bytes_break_the_reader(data: bytes) -> None:
    with suppress(ProtobufError, UnicodeDecodeError):
        read_exchange(data)


def field(number: int, value: bytes) -> bytes:
    """A length-delimited field of fewer than 128 bytes."""
    return bytes([number << 3 | 2, len(value)]) + value


def exchange(target: bytes, *, status: bytes = b"HTTP/1.1 200 OK", body: bytes = b"h1{}") -> bytes:
    request = field(1, b"GET " + target + b" HTTP/1.1") + field(2, field(1, b"Host") + field(2, b"a.example"))
    response = field(1, status) + field(2, field(1, b"Content-Type") + field(2, b"text/css")) + field(3, body)
    return field(4, request) + field(5, response)


def test_files_that_cannot_be_used_are_left_out_by_name_and_those_in_gzip_are_read(tmp_path: Path) -> None:
    files = {
        "save.1": (FOLDER / "save.B2xLQe").read_bytes(),
        "save.2": exchange(b"/s.css", status=b"ICY 200 OK"),
        "save.3": exchange(b"/s.css", status=b"HTTP/1.1 100 Continue", body=b""),
        "save.4": gzip.compress(exchange(b"/zipped.css")),
        "save.5": gzip.compress(exchange(b"/zipped.css"))[:-9],
        "save.6": b"hello",
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "site").mkdir()
    found = read_folder(tmp_path)
    assert [each.url for each in found.exchanges] == ["https://garden.example/", "http://a.example/zipped.css"]
    unread = "it cannot be read as an exchange of Mahimahi"
    assert [str(each).partition(";")[0] for each in found.left_out] == [
        "http://a.example/s.css (save.2): its response is not an HTTP message: it begins with 'ICY 200 OK'",
        "http://a.example/s.css: it has only an interim answer (status 100), and not the final one",
        f"save.5: {unread} (the gzip data is truncated)",
        f"save.6: {unread} (it is not a protocol buffer)",
        "site/: it is a subfolder",
    ]


def test_a_target_in_other_characters_is_what_browsers_ask_for() -> None:
    for target, url in ((b"/\xe2\x80\x93 x?\xe9", "/%E2%80%93%20x?%E9"), (b"/a%20b", "/a%20b")):
        found = read_exchange(exchange(target))
        assert isinstance(found, Exchange)
        assert as_sent(found.url) == f"http://a.example{url}"
