"""Exchanges of Mahimahi, written by the protobuf library (make_files.py), are read by their documented fields."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyelevel.errors import BadInputError
from eyelevel.importing.mahimahi import ProtobufError, read_exchange, read_folder

FOLDER = Path(__file__).with_name("mahimahi")


def test_a_folder_has_urls_bodies_addresses_and_its_page() -> None:
    found = read_folder(FOLDER)
    assert (found.kind, found.start_url) == ("Mahimahi folder", "https://garden.example/")
    picture, page = found.exchanges
    assert picture.url == "http://img.example:8080/moss.png?a=1"
    # as it was sent, in chunks
    assert picture.body == b"9\r\n\x89PNG moss\r\n0\r\n\r\n"
    assert ("Transfer-Encoding", "chunked") in picture.headers
    assert (picture.address, picture.status, picture.reason) == ("192.0.2.2", 200, "OK")
    assert (page.method, page.address, page.is_page) == ("GET", "192.0.2.1", True)
    assert page.request_headers == (("Host", "garden.example"),)


def test_an_empty_folder_and_a_damaged_file_are_named(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="holds no files; give a folder that mm-webrecord wrote"):
        read_folder(tmp_path)
    whole = (FOLDER / "save.B2xLQe").read_bytes()
    (tmp_path / "save.x").write_bytes(whole[:-3])
    with pytest.raises(BadInputError, match=r"save\.x cannot be read as an exchange of Mahimahi \(it breaks off\)"):
        read_folder(tmp_path)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "no request"),
        (b"hello", "field of kind"),
        (b"\x08" + b"\xff" * 11, "breaks off within a number"),
        (b"\x22\x00\x2a\x00", "its request begins with ''"),
        (b"\x22\x11\x0a\x0fGET / HTTP/1.1\r\x2a\x06\x0a\x04oops", "its response begins with 'oops'"),
    ],
)
def test_what_is_no_exchange_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(ProtobufError, match=words):
        read_exchange(data)


@given(st.binary(max_size=200))
def test_no_bytes_break_the_reader(data: bytes) -> None:
    with suppress(ProtobufError, UnicodeDecodeError):
        read_exchange(data)
