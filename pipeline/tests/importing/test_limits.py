"""Files that are too large, or that unpack to too much, are refused by one sentence, and nothing is written."""

import gzip
import json
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from click.testing import CliRunner
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from eyelevel.errors import BadInputError
from eyelevel.importing import limits
from eyelevel.importing.command import import_command


def warc(body_bytes: int, *, bodies: int = 1) -> bytes:
    """Answers of zeros, which gzip makes a thousandth of."""
    file = BytesIO()
    writer = WARCWriter(file, gzip=True)
    for number in range(bodies):
        record = writer.create_warc_record(
            f"https://a.example/{number}",
            "response",
            payload=BytesIO(bytes(body_bytes)),
            length=body_bytes,
            http_headers=StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1"),
        )
        writer.write_record(record)
    return file.getvalue()


def a_warc(path: Path) -> None:
    path.write_bytes(warc(5 << 20))


def many_records(path: Path) -> None:
    path.write_bytes(warc(3 << 20, bodies=3))


def a_header(path: Path) -> None:
    path.write_bytes(gzip.compress(b"WARC/1.0\r\n" + b"A: b\r\n" * (2 << 20)))


def a_wacz(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("archive/a.warc.gz", warc(5 << 20))


def a_list_of_pages(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("archive/a.warc.gz", warc(9))
        archive.writestr("pages/pages.jsonl", bytes(5 << 20))


def a_folder(path: Path) -> None:
    path.mkdir()
    (path / "save.1").write_bytes(bytes(5 << 20))


def a_har(path: Path) -> None:
    answer = {"status": 200, "headers": [], "content": {"text": "x" * (5 << 20)}}
    entry = {"request": {"method": "GET", "url": "https://a.example/0", "headers": []}, "response": answer}
    path.write_text(json.dumps({"log": {"entries": [entry]}}))


BOMBS: dict[str, tuple[Callable[[Path], None], str]] = {
    "record": (a_warc, "{path}: https://a.example/0 has 5 MiB, more than the limit of 4 MiB"),
    "many records": (many_records, "{path} unpacks to more than 8 MiB"),
    "header": (a_header, "{path} unpacks to more than 8 MiB"),
    "WACZ": (a_wacz, "{path}: https://a.example/0 has 5 MiB, more than the limit of 4 MiB"),
    "list of pages": (a_list_of_pages, "{path}: pages/pages.jsonl has 5 MiB, more than the limit of 4 MiB"),
    "HAR": (a_har, "{path}: https://a.example/0 has 5 MiB, more than the limit of 4 MiB"),
    "Mahimahi": (a_folder, "{path}: save.1 has 5 MiB, more than the limit of 4 MiB"),
}


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_FILE_BYTES", 6 << 20)
    monkeypatch.setattr(limits, "MOST_UNPACKED_BYTES", 8 << 20)
    monkeypatch.setattr(limits, "MOST_ENTRY_BYTES", 4 << 20)


def refusal(source: Path) -> str:
    result = CliRunner().invoke(import_command, [str(source), "-o", str(source.with_name("out.warc.gz"))])
    assert isinstance(result.exception, BadInputError), result.output
    assert not list(source.parent.glob("out*"))
    return str(result.exception)


@pytest.mark.parametrize("name", BOMBS)
def test_what_unpacks_to_too_much_is_refused(tmp_path: Path, name: str) -> None:
    make, sentence = BOMBS[name]
    path = tmp_path / "bomb"
    make(path)
    assert refusal(path) == f"{sentence.format(path=path)}; import a file of one page."


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "a.har"
    path.write_text(json.dumps({"log": {"comment": "x" * (7 << 20)}}))
    assert refusal(path) == f"{path} has 7 MiB, more than the limit of 6 MiB; import a file of one page."


def test_a_har_of_endless_depth_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.har"
    path.write_text("[" * 200_000)
    assert refusal(path).startswith(f"{path} is neither a HAR (JSON)")
