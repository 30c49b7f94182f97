"""A page served on this machine becomes a recording that says what was served."""

import gzip
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from eyelevel.errors import ToolMissingError
from eyelevel.record.proxy import find_warcprox

# warcprox refuses 127.0.0.1, and only that
ADDRESS = "127.0.0.2"
PAGE = b'<!doctype html><title>Moss</title><link rel="stylesheet" href="/moss.css"><p>Moss'
STYLE = gzip.compress(b"p { color: #384 }" * 40, mtime=0)


def has_warcprox() -> bool:
    try:
        find_warcprox()
    except ToolMissingError:
        return False
    return True


needs_warcprox = pytest.mark.skipif(not has_warcprox(), reason="warcprox is not installed (make record-tools)")


class Site(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        kind, body, encoding = {
            "/": ("text/html", PAGE, None),
            "/moss.css": ("text/css", STYLE, "gzip"),
        }.get(self.path, ("text/plain", b"", None))
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if encoding:
            self.send_header("Content-Encoding", encoding)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def site() -> Iterator[str]:
    with ThreadingHTTPServer((ADDRESS, 0), Site) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://{ADDRESS}:{server.server_port}/"
        server.shutdown()
        thread.join()


def record(url: str, out: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "eyelevel", "record", url, "-o", str(out)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=150)


@needs_warcprox
@pytest.mark.browser
def test_a_recording_holds_what_came_over_the_wire(site: str, tmp_path: Path) -> None:
    out = tmp_path / "moss.warc.gz"
    told = record(site, out)
    assert told.returncode == 0, told.stderr
    bodies, infos = {}, []
    with out.open("rb") as file:
        for entry in ArchiveIterator(file):
            if entry.rec_type == "warcinfo":
                infos.append(entry.content_stream().read().decode())
            if entry.rec_type == "response":
                address = entry.rec_headers.get_header("WARC-IP-Address")
                bodies[entry.rec_headers.get_header("WARC-Target-URI")] = (address, entry.raw_stream.read())
    assert bodies[site] == (ADDRESS, PAGE)
    assert bodies[f"{site}moss.css"] == (ADDRESS, STYLE)
    assert len(infos) == 1
    assert os.uname().nodename not in infos[0]


@needs_warcprox
@pytest.mark.browser
def test_a_server_that_does_not_answer_leaves_no_file(tmp_path: Path) -> None:
    out = tmp_path / "nothing.warc.gz"
    told = record("http://127.0.0.2:9/", out)
    assert told.returncode == 7, told.stderr
    assert not out.exists()


@pytest.mark.parametrize("url", ["example.org", "file:///etc/passwd"])
def test_a_url_that_cannot_be_recorded_is_named(url: str, tmp_path: Path) -> None:
    told = record(url, tmp_path / "x.warc.gz")
    assert told.returncode == 4
    assert told.stderr.startswith(f"eyelevel: {url} is not an http or https URL")
