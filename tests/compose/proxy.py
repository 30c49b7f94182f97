"""Runs the containers' nginx configuration on loopback, in front of a small server that notes what reaches it."""

import os
import queue
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

CONFIGURATION = Path(__file__).resolve().parents[2] / "backend" / "proxy" / "nginx.conf"
# Debian's place for it is on root's PATH only
PROGRAM = shutil.which("nginx", path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin")
START_S = 20.0
PATIENCE_S = 30.0
POLICY, ETAG = "script-src 'self'", '"keyed"'
CLIPS, BROKEN, TRICKLING, SILENT = "/clips/", "/broken", "/trickling", "/silent"
# how long the answer of TRICKLING takes, a byte a second, and the time before the first byte of SILENT
SLOW_S = 6


class Upstream(ThreadingHTTPServer):
    """In the platform's place. `arrived` has path and headers of each request as soon as its headers are here."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.arrived: queue.Queue[tuple[str, Mapping[str, str]]] = queue.Queue()

    def handle_error(self, *_: object) -> None:
        """A client that went away is part of a test."""


class Handler(BaseHTTPRequestHandler):
    """Answers 200 once the body is here; CLIPS by X-Accel-Redirect; BROKEN not at all; others slowly."""

    server: Upstream

    def _answer(self) -> None:
        self.server.arrived.put((self.path, dict(self.headers)))
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path == BROKEN:
            return
        if self.path == SILENT:
            time.sleep(SLOW_S)
        if self.path == TRICKLING:
            self._trickle()
            return
        self.send_response(200)
        self.send_header("Content-Security-Policy", POLICY)
        if self.path.startswith(CLIPS):
            self.send_header("X-Accel-Redirect", "/blobs/ab/" + self.path.removeprefix(CLIPS))
            self.send_header("Content-Type", "video/mp4")
            self.send_header("Cache-Control", "private")
            self.send_header("ETag", ETAG)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _trickle(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(SLOW_S))
        self.end_headers()
        for _ in range(SLOW_S):
            self.wfile.write(b"x")
            self.wfile.flush()
            time.sleep(1)

    do_GET = do_POST = do_PUT = _answer  # noqa: N815 - the base class's names

    def log_message(self, *_: object) -> None:
        pass


@dataclass
class Proxy:
    """A running nginx: its port, the server behind it, and the folder with the blobs."""

    port: int
    upstream: Upstream
    blobs: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def connect(self, sent: bytes, *, small: bool = False) -> socket.socket:
        """A connection on which this has been sent; `small` has room for few bytes of the answer."""
        client = socket.socket()
        if small:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.settimeout(PATIENCE_S)
        client.connect(("127.0.0.1", self.port))
        client.sendall(sent)
        return client


def head(request: str, *fields: str) -> bytes:
    """Request line and header fields, as they are sent."""
    return "\r\n".join([f"{request} HTTP/1.1", "Host: localhost", *fields, "", ""]).encode()


def filled(folder: Path, *, port: int, web: str, read_s: int = 300) -> Path:
    """The configuration with places and ports of this machine, and maybe less patience; else as in the containers."""
    text = CONFIGURATION.read_text()
    values = {
        # first: the folder's own name may have this in it
        "/tmp/": f"{folder}/",  # noqa: S108 - the container's own
        "alias /data/blobs/;": f"alias {folder}/blobs/;",
        "listen 8080;": f"listen 127.0.0.1:{port};",
        "set $web http://web:8000;": f"set $web {web};",
        "proxy_read_timeout 300s;": f"proxy_read_timeout {read_s}s;",
    }
    for old, new in values.items():
        assert old in text, f"{CONFIGURATION.name} has no `{old}`"
        text = text.replace(old, new)
    file = folder / "nginx.conf"
    file.write_text(text)
    return file


def command(file: Path) -> list[str]:
    assert PROGRAM is not None
    # as root, nginx would give its workers to a user who may not read the folder
    user = " user root;" if os.geteuid() == 0 else ""
    return [PROGRAM, "-e", "stderr", "-p", str(file.parent), "-c", str(file), "-g", f"daemon off;{user}"]


@contextmanager
def running(folder: Path, *, read_s: int = 300) -> Iterator[Proxy]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    upstream = Upstream()
    threading.Thread(target=upstream.serve_forever, daemon=True).start()
    (folder / "blobs" / "ab").mkdir(parents=True)
    file = filled(folder, port=port, web=f"http://127.0.0.1:{upstream.server_port}", read_s=read_s)
    process = subprocess.Popen(command(file))
    try:
        _wait(process, port)
        yield Proxy(port, upstream, folder / "blobs")
    finally:
        process.terminate()
        process.wait(START_S)
        upstream.shutdown()
        upstream.server_close()


def _wait(process: subprocess.Popen[bytes], port: int) -> None:
    end = time.monotonic() + START_S
    while True:
        assert process.poll() is None, f"nginx ended with {process.returncode}"
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            assert time.monotonic() < end, "nginx does not listen"
            time.sleep(0.05)
        else:
            return
