"""Files of other tools become recordings: Playwright's HAR, py-wacz's WACZ, and Mahimahi's folder."""

import gzip
import json
import shutil
import tarfile
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from playwright.sync_api import sync_playwright

from eyelevel.errors import BadInputError
from eyelevel.importing.command import import_command
from eyelevel.recorded import Response, body_of, records, responses, target_of

HERE = Path(__file__).parent
PAGE = "<!doctype html><title>Möwe</title><link rel=stylesheet href=/a.css><img src=/moss.png>".encode()
STYLE = b"h1 { color: #384 }" * 40
PICTURE = b"\x89PNG moss"


def imported(source: Path, out: Path, *options: str) -> Result:
    return CliRunner().invoke(import_command, [str(source), "-o", str(out), *options])


def bodies(recording: Path) -> dict[str, bytes]:
    return {target_of(r): body_of(r).read() for r in records(recording) if r.rec_type == "response"}


def info(recording: Path) -> str:
    return str(next(records(recording)).content_stream().read().decode())


class Site(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        kind, body = {"/a.css": ("text/css", gzip.compress(STYLE)), "/moss.png": ("image/png", PICTURE)}.get(
            self.path, ("text/html; charset=utf-8", PAGE)
        )
        self.send_response(200)
        self.send_header("Content-Type", kind)
        if kind == "text/css":
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def site() -> Iterator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


@pytest.mark.browser
def test_a_har_that_playwright_recorded_becomes_a_recording(site: int, tmp_path: Path) -> None:
    har, out = tmp_path / "page.har", tmp_path / "page.warc.gz"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", f"--host-resolver-rules=MAP garden.example:80 127.0.0.1:{site}"],
        )
        context = browser.new_context(record_har_path=har, record_har_content="embed")
        context.new_page().goto("http://garden.example/", wait_until="networkidle")
        context.close()
        browser.close()
    result = imported(har, out)
    assert result.exit_code == 0, result.output
    assert "starts with http://garden.example/." in result.stderr
    found = bodies(out)
    assert found["http://garden.example/"] == PAGE
    # decoded, and no header says otherwise
    assert found["http://garden.example/a.css"] == STYLE
    assert found["http://garden.example/moss.png"] == PICTURE
    heads = [record.http_headers for record in records(out) if target_of(record).endswith("/a.css")]
    assert [head.get_header("Content-Encoding") for head in heads] == [None, None]
    assert {response.address for response in responses(out)} == {"127.0.0.1"}
    assert "Warning" not in result.stderr
    assert "Imported from the HAR page.har, SHA-256 " in info(out)
    assert "made by Playwright" in info(out)


def test_a_wacz_of_py_wacz_starts_with_its_main_page_and_resolves_pointers(tmp_path: Path) -> None:
    out = tmp_path / "garden.warc.gz"
    result = imported(HERE / "garden.wacz", out)
    assert result.exit_code == 0, result.output
    found = list(responses(out))
    assert [response.url for response in found] == [
        "https://garden.example/",
        "https://other.example/",
        "https://garden.example/moss.png",
        "https://img.example/moss.png",
    ]
    assert found[3].body_bytes == len(PICTURE)
    assert found[0].address == "192.0.2.1"
    assert "https://img.example/gone: it points to a body that is not in the file" in result.stderr
    assert "made by py-wacz 0.6.0" in info(out)


def test_a_folder_of_mahimahi_becomes_a_recording(tmp_path: Path) -> None:
    out = tmp_path / "garden.warc.gz"
    result = imported(HERE / "mahimahi", out)
    assert result.exit_code == 0, result.output
    assert list(responses(out)) == [
        Response("https://garden.example/", 200, "text/html", 97, "192.0.2.1"),
        Response("http://img.example:8080/moss.png?a=1", 200, "image/png", len(PICTURE), "192.0.2.2"),
    ]


def test_the_start_page_can_be_named_and_must_be_there(tmp_path: Path) -> None:
    out = tmp_path / "garden.warc.gz"
    assert imported(HERE / "garden.wacz", out, "--start-url", "https://other.example/").exit_code == 0
    assert next(iter(responses(out))).url == "https://other.example/"
    result = imported(HERE / "garden.wacz", out, "--start-url", "https://none.example/")
    assert isinstance(result.exception, BadInputError)
    assert "has no answer for https://none.example/" in str(result.exception)


def test_the_recording_never_replaces_what_is_read(tmp_path: Path) -> None:
    source, link, folder = tmp_path / "a.har", tmp_path / "a.warc.gz", tmp_path / "saved"
    source.write_text(har())
    link.hardlink_to(source)
    shutil.copytree(HERE / "mahimahi", folder)
    for read, out in ((source, source), (source, tmp_path / "saved" / ".." / "a.har"), (source, link)):
        result = imported(read, out)
        assert str(result.exception) == f"--out {out} would replace {read}, which is the input; give another name."
    result = imported(folder, folder / "x.warc.gz")
    assert str(result.exception).endswith(f"is inside {folder}, which is the input; give another folder.")
    assert (source.read_text(), len(list(folder.iterdir()))) == (har(), 2)


def test_a_zip_that_is_no_wacz_or_is_damaged_is_named_and_leaves_nothing(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("readme.txt", "hello")
    (tmp_path / "b.wacz").write_bytes((HERE / "garden.wacz").read_bytes()[:-30])
    for name, sentence in (
        ("a.zip", "has no WARC file in archive/, so it is not a WACZ; export it again."),
        ("b.wacz", "is damaged (its list of files is missing or wrong, so it is probably truncated); export it again."),
    ):
        result = imported(tmp_path / name, tmp_path / "x.warc.gz")
        assert str(result.exception) == f"{tmp_path / name} {sentence}"
    assert not list(tmp_path.glob("x.*"))


def test_a_damaged_part_of_a_wacz_is_named_and_stops_no_other(tmp_path: Path) -> None:
    source, out = tmp_path / "a.wacz", tmp_path / "x.warc.gz"
    with zipfile.ZipFile(HERE / "garden.wacz") as plain, zipfile.ZipFile(source, "w") as archive:
        for name in plain.namelist():
            archive.writestr(name, plain.read(name))
        archive.writestr("archive/later.warc.gz", plain.read("archive/garden.warc.gz")[:-12])
        archive.writestr("archive/third.warc", b"WARC/1.0\r\nWARC-Type: response\r\n")
        archive.writestr("archive/zero.warc", gzip.compress(b"WARC/1.0\r\nWARC-Type: response\r\n\r\n")[:-3])
    whole = source.read_bytes()
    for at, url in ((whole.index(b"https://garden.example/", whole.index(b'"url"')), None), (None, "garden.example/")):
        source.write_bytes(whole if at is None else whole[:at] + b"H" + whole[at + 1 :])
        result = imported(source, out, "--start-url", "https://garden.example/")
        assert result.exit_code == 0, result.output
        assert "Left out: record 1 of archive/third.warc: the file ends within its record.\n" in result.stderr
        assert "Left out: record 2 of archive/zero.warc: the file ends there.\n" in result.stderr
        is_named = "Left out: pages/pages.jsonl: it is damaged, so the start page is unknown" in result.stderr
        assert is_named == (url is None)
        assert len(list(responses(out))) > 4
    assert "which --strict" not in str(imported(source, out, "--strict").exception)


def test_a_warc_that_is_not_the_one_that_the_package_names_is_named(tmp_path: Path) -> None:
    source, out = tmp_path / "a.wacz", tmp_path / "x.warc.gz"
    with zipfile.ZipFile(HERE / "garden.wacz") as plain, zipfile.ZipFile(source, "w") as archive:
        for name in plain.namelist():
            data = plain.read(name)
            archive.writestr(name, gzip.compress(gzip.decompress(data), 1) if name.endswith(".warc.gz") else data)
    result = imported(source, out)
    assert (
        " more: datapackage.json has another digest for archive/garden.warc.gz; its body may be wrong." in result.stderr
    )
    assert "another digest" not in imported(HERE / "garden.wacz", out).stderr


def test_gzip_is_undone_in_and_around_a_wacz(tmp_path: Path) -> None:
    zipped = tmp_path / "zipped.wacz"
    with zipfile.ZipFile(HERE / "garden.wacz") as plain, zipfile.ZipFile(zipped, "w") as archive:
        for name in plain.namelist():
            zipped_name = name if name.endswith(".warc.gz") else f"{name}.gz"
            archive.writestr(zipped_name, gzip.compress(plain.read(name)))
    (tmp_path / "a.wacz.gz").write_bytes(gzip.compress(zipped.read_bytes()))
    result = imported(tmp_path / "a.wacz.gz", tmp_path / "x.warc.gz")
    assert result.exit_code == 0, result.output
    assert next(iter(responses(tmp_path / "x.warc.gz"))).url == "https://garden.example/"


def test_a_zip_of_a_har_is_named(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("har.har", "{}")
    result = imported(tmp_path / "a.zip", tmp_path / "x.warc.gz")
    assert str(result.exception) == f"{tmp_path / 'a.zip'} is a zip with har.har; unpack it and import that file."


def har(
    *,
    request: dict[str, Any] | None = None,
    response: dict[str, Any] | None = None,
    content: dict[str, Any] | None = None,
    **entry: Any,
) -> str:
    entry = {
        "request": {"method": "GET", "url": "https://a.example/", "headers": [], **(request or {})},
        "response": {
            "status": 200,
            "headers": [],
            "content": {"text": "page", "mimeType": "text/html"} | (content or {}),
            **(response or {}),
        },
        **entry,
    }
    return json.dumps({"log": {"entries": [entry]}})


def protobuf(number: int, value: bytes) -> bytes:
    """A length-delimited field of fewer than 128 bytes."""
    return bytes([number << 3 | 2, len(value)]) + value


def mahimahi(header: bytes, value: bytes) -> bytes:
    request = protobuf(1, b"GET / HTTP/1.1") + protobuf(2, protobuf(1, b"Host") + protobuf(2, b"a.example"))
    page = protobuf(2, protobuf(1, b"Content-Type") + protobuf(2, b"text/html"))
    response = protobuf(1, b"HTTP/1.1 200 OK") + page + protobuf(2, protobuf(1, header) + protobuf(2, value))
    return bytes([3 << 3, 1]) + protobuf(4, request) + protobuf(5, response + protobuf(3, b"page"))


BROKEN_LINES: dict[str, tuple[str | bytes, str]] = {
    "type": (
        har(content={"mimeType": "text/x\r\nSet-Cookie: a=1"}),
        "its response header 'Content-Type' has a control character; the field is left out",
    ),
    "address": (
        har(serverIPAddress="fe80::1%a\r\nWARC-Type: b"),
        r"its server address 'fe80::1%a\r\nWARC-Type: b' is not an IP address; it is ignored",
    ),
    "value": (
        har(request={"headers": [{"name": "A", "value": "b\rc: d"}]}),
        "its request header 'A' has a control character; the field is left out",
    ),
    "status text": (
        har(response={"statusText": "OK\r\nA: b"}),
        r"its status text 'OK\r\nA: b' has a control character; it is left out",
    ),
    "Mahimahi value": (
        mahimahi(b"A", b"b\r\n\r\nc"),
        "its response header 'A' has a control character; the field is left out",
    ),
    "Mahimahi name": (
        mahimahi(b"A\0", b"b"),
        r"its response header 'A\x00' has a control character; the field is left out",
    ),
}


@pytest.mark.parametrize("name", BROKEN_LINES)
def test_a_line_break_that_would_end_a_header_is_left_out_by_name(tmp_path: Path, name: str) -> None:
    data, remark = BROKEN_LINES[name]
    source, file = tmp_path / "source", tmp_path / "source"
    if isinstance(data, bytes):
        source.mkdir()
        file = source / "save.1"
    file.write_bytes(data if isinstance(data, bytes) else data.encode())
    url = "http://a.example/" if isinstance(data, bytes) else "https://a.example/"
    result = imported(source, tmp_path / "x.warc.gz", *(("--start-url", url) if name == "type" else ()))
    if name == "type":  # nothing says that it is a page
        assert isinstance(result.exception, BadInputError)
        return
    assert result.exit_code == 0, result.output
    assert result.stderr.startswith(f"Note: {url}: {remark}.\n")
    assert "WARC-Type: b" not in gzip.decompress((tmp_path / "x.warc.gz").read_bytes()).decode()


def test_a_tab_within_a_header_is_kept(tmp_path: Path) -> None:
    (tmp_path / "a.har").write_text(har(request={"headers": [{"name": "A", "value": "b\tc"}]}))
    out = tmp_path / "a.warc.gz"
    assert imported(tmp_path / "a.har", out).exit_code == 0
    (asked,) = [record.http_headers for record in records(out) if record.rec_type == "request"]
    assert asked.get_header("A") == "b\tc"


def test_what_is_left_out_and_changed_is_named_and_counted_and_refused_if_strict(tmp_path: Path) -> None:
    har_file = json.loads(har(serverIPAddress="a.example"))
    lost = json.loads(har(request={"url": "https://a.example/lost"}, content={"text": None, "size": 9}))
    har_file["log"]["entries"] += lost["log"]["entries"]
    (tmp_path / "a.har.gz").write_bytes(gzip.compress(gzip.compress(json.dumps(har_file).encode())))
    out = tmp_path / "a.warc.gz"
    result = imported(tmp_path / "a.har.gz", out, "--strict")
    assert not out.exists()
    left_out = "https://a.example/lost: its body is not in the file"
    note = "https://a.example/: its server address 'a.example' is not an IP address; it is ignored"
    assert str(result.exception) == (
        f"{tmp_path / 'a.har.gz'} is not imported because of --strict and 1 of 2 answers left out, 1 note:\n"
        f"  {left_out}\n  {note}\nExport the file again, or import it without --strict."
    )
    result = imported(tmp_path / "a.har.gz", out)
    assert result.exit_code == 0, result.output
    assert result.stderr.splitlines()[:3] == [
        f"Left out: {left_out}.",
        f"Note: {note}.",
        "1 of 2 answers left out, 1 note; a replay lacks these answers.",
    ]


def test_what_is_left_out_is_named_also_where_no_page_is_left(tmp_path: Path) -> None:
    (tmp_path / "a.har").write_text(har(request={"method": "POST"}, response={"statusText": "a\0"}))
    result = imported(tmp_path / "a.har", tmp_path / "x.warc.gz")
    assert "has no HTML document with status 200 and a body" in str(result.exception)
    assert result.stderr.startswith("Note: https://a.example/: its status text")


def test_text_that_no_terminal_shows_is_escaped(tmp_path: Path) -> None:
    har_file = json.loads(har(request={"headers": [{"name": "A\x1b[2J", "value": "\0"}]}, _failureText="\x1b[2J\ud800"))
    har_file["log"]["creator"] = {"name": "\ud800\x1b tool"}
    (tmp_path / "a.har").write_text(json.dumps(har_file))
    result = imported(tmp_path / "a.har", tmp_path / "x.warc.gz")
    assert result.exit_code == 0, result.output
    assert "\x1b" not in result.stderr
    assert "the recorder says that it failed (\\x1b[2J\\ud800)" in result.stderr
    assert "made by \\ud800\\x1b tool." in info(tmp_path / "x.warc.gz")


def test_a_file_of_a_mahimahi_folder_and_an_empty_zip_are_named(tmp_path: Path) -> None:
    result = imported(HERE / "mahimahi" / "save.B2xLQe", tmp_path / "x.warc.gz")
    assert str(result.exception).endswith(
        f" is one exchange of a Mahimahi folder; give its folder {HERE / 'mahimahi'}."
    )
    with zipfile.ZipFile(tmp_path / "a.zip", "w"):
        pass
    result = imported(tmp_path / "a.zip", tmp_path / "x.warc.gz")
    assert str(result.exception) == f"{tmp_path / 'a.zip'} is a zip without files; export it again."


def test_a_tar_archive_is_named(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "a.tgz", "w:gz", format=tarfile.USTAR_FORMAT) as archive:
        archive.add(HERE / "mahimahi", "mahimahi")
    result = imported(tmp_path / "a.tgz", tmp_path / "x.warc.gz")
    assert str(result.exception) == f"{tmp_path / 'a.tgz'} is a tar archive; unpack it, and import its contents."


@pytest.mark.parametrize(("start", "name"), [(b"\x28\xb5\x2f\xfd", "Zstandard"), (b"BZh9", "bzip2")])
def test_another_compression_is_named(tmp_path: Path, start: bytes, name: str) -> None:
    (tmp_path / "a.har").write_bytes(start + bytes(9))
    result = imported(tmp_path / "a.har", tmp_path / "x.warc.gz")
    assert (
        str(result.exception) == f"{tmp_path / 'a.har'} is compressed with {name}; unpack it, and import its contents."
    )
