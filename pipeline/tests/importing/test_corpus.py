"""Files of other people's tools: imported with the bodies that their records have digests of, or refused by a sentence.

They are read from EYELEVEL_CORPUS, a folder, and from `cases`, `corpus` and `recordings` of EYELEVEL_SHARED.
"""

import base64
import hashlib
import json
import os
import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

import pytest
from click.testing import CliRunner
from warcio.archiveiterator import ArchiveIterator
from warcio.bufferedreaders import ChunkedDataReader

from eyelevel.errors import BadInputError
from eyelevel.importing.command import import_command
from eyelevel.recorded import BROKEN, records

SHARED = Path(os.environ.get("EYELEVEL_SHARED", Path(__file__).resolve().parents[4] / "shared"))
FOLDERS = [
    *([Path(os.environ["EYELEVEL_CORPUS"])] if "EYELEVEL_CORPUS" in os.environ else []),
    *(SHARED / name for name in ("cases", "corpus", "recordings")),
]
KINDS = re.compile(r".*\.(har|warc|wacz|arc|bad)(\.gz)?|mahimahi.*", re.IGNORECASE)
FILES = [
    file for folder in FOLDERS if folder.is_dir() for file in sorted(folder.iterdir()) if KINDS.fullmatch(file.name)
]
FIRST_DOCUMENT = re.compile(r"Documents:\n  (\S+)")


def digest(body: bytes) -> str:
    return f"sha1:{base64.b32encode(hashlib.sha1(body, usedforsecurity=False).digest()).decode()}"


def digests(body: bytes) -> set[str]:
    """Of the body as it is stored, and without its chunks."""
    return {digest(body), digest(ChunkedDataReader(BytesIO(body)).read())}


def declared(file: BinaryIO) -> Iterator[str]:
    """Digests that responses of HTTP name, where warcio reads a body that has them."""
    try:
        for record in ArchiveIterator(file):
            url, named = (record.rec_headers.get_header(f"WARC-{name}") for name in ("Target-URI", "Payload-Digest"))
            if (
                record.rec_type == "response"
                and str(url).startswith("http")
                and named in digests(record.raw_stream.read())
            ):
                yield named
    except BROKEN:
        pass  # what it cannot read has no digest to compare with


def expected(source: Path) -> Counter[str]:
    if source.is_dir() or source.name.endswith((".har", ".har.gz")):
        return Counter()
    with source.open("rb") as file:
        if not zipfile.is_zipfile(source):
            return Counter(declared(file))
        with zipfile.ZipFile(file) as archive:
            names = [name for name in archive.namelist() if name.startswith("archive/")]
            return Counter(value for name in names for value in declared(BytesIO(archive.read(name))))


def texts(source: Path) -> int:
    """How many answers of a HAR have a body and a final status."""
    if source.is_dir() or not source.name.endswith(".har"):
        return 0
    entries = json.loads(source.read_bytes())["log"]["entries"]
    responses = [each["response"] for each in entries if each["request"]["url"].startswith("http")]
    return sum(bool((each.get("content") or {}).get("text")) and int(each["status"]) >= 200 for each in responses)


@pytest.mark.skipif(not FILES, reason="no recordings of other tools are there: set EYELEVEL_SHARED or EYELEVEL_CORPUS")
@pytest.mark.parametrize("source", FILES or [Path("none")], ids=lambda source: source.name)
def test_a_file_is_imported_with_its_bodies_or_refused_by_a_sentence(source: Path, tmp_path: Path) -> None:
    out, run = tmp_path / "out.warc.gz", CliRunner()
    result = run.invoke(import_command, [str(source), "-o", str(out)])
    document = FIRST_DOCUMENT.search(str(result.exception))
    if document is not None:
        result = run.invoke(import_command, [str(source), "-o", str(out), "--start-url", document[1]])
    if result.exception is not None:
        assert isinstance(result.exception, BadInputError), result.exception
        assert str(result.exception).startswith(str(source))
        assert "\n" not in str(result.exception)
        assert not out.exists()
        return
    found: Counter[str] = Counter()
    answers = [record.raw_stream.read() for record in records(out) if record.rec_type == "response"]
    for body in answers:
        found.update(digests(body))
    left_out = sum(line.startswith("Left out: ") for line in result.stderr.splitlines())
    lacking = expected(source) - found
    assert sum(lacking.values()) <= left_out, lacking
    assert len(answers) + left_out >= texts(source)


# of the folder `cases`: how many responses, and what is said
CASES = {
    "address-is-a-name.har": (4, "and 3 more: its server address 'shop.example' is not an IP address; it is ignored"),
    "address-with-port.har": (4, "(recorded)"),
    "base64-in-lines.har": (4, "0.3 kB"),
    "base64-undeclared.har": (4, "/i.png: its body is base64, though the file does not say so; it is decoded"),
    "creator-without-name.har": (4, "starts with https://shop.example/."),
    "cut-picture.har": (4, "/i.png: its body is cut short: 999 of 3,600 bytes"),
    "headers-missing.har": (4, "starts with https://shop.example/."),
    "interim-responses.warc": (3, "starts with http://site.example/."),
    "mahimahi-continue": (1, "/api: it has only an interim answer (status 100), and not the final one"),
    "mahimahi-icy": (1, "/s.css (save.x): its response is not an HTTP message: it begins with 'ICY 200 OK'"),
    "mahimahi-no-page": (0, "requests have the referrer https://amp.example/, which is not in the file"),
    "mahimahi-utf8-url": (2, "starts with https://amp.example/."),
    "no-document.har": (0, "lacks the body of https://shop.example/, which looks like the page itself"),
    "non-ascii-header.warc": (3, "starts with https://site.example/."),
    "non-ascii-reason.warc": (3, "starts with https://site.example/."),
    "non-ascii-uri.warc": (2, "starts with https://site.example/."),
    "not-base64.har": (4, "/a.js: its body is text, though the file says base64; it is kept unchanged"),
    "page-recorded-twice.warc": (5, "starts with https://site.example/."),
    "page.har.gz": (4, "starts with https://shop.example/."),
    "records-without-line-end.warc.gz": (1, "starts with http://site.example/."),
    "retried-empty-first.har": (4, "it has no body, and another answer to the same request has one"),
    "revisit-without-reference.warc": (3, "starts with http://site.example/."),
    "status-as-text.har": (4, "starts with https://shop.example/."),
}


@pytest.mark.skipif(not (SHARED / "cases").is_dir(), reason="EYELEVEL_SHARED has no cases")
@pytest.mark.parametrize("name", CASES)
def test_a_reported_case_has_its_right_value(name: str, tmp_path: Path) -> None:
    answers, words = CASES[name]
    out = tmp_path / "out.warc.gz"
    result = CliRunner().invoke(import_command, [str(SHARED / "cases" / name), "-o", str(out)])
    assert (result.exit_code == 0) == out.exists() == bool(answers)
    assert words in (result.stderr if answers else str(result.exception))
    assert not answers or sum(record.rec_type == "response" for record in records(out)) == answers
