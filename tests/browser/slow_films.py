"""Serves clips whose second half is delayed, so that a player has to wait for data."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

GIVES_UP_S = 60.0
# a clip that the page has fetched is played from that server instead of from the browser's memory
INSTEAD = """
const original = URL.createObjectURL.bind(URL);
URL.createObjectURL = (blob) => (blob.size > 20000 ? `%s/${blob.size}` : original(blob));
"""


@dataclass
class SlowFilms:
    """`release` sends what is held back, to whoever asked for it."""

    url: str
    release: threading.Event = field(default_factory=threading.Event)

    @property
    def script(self) -> str:
        return INSTEAD % self.url


@contextmanager
def slow_films(batch: Path) -> Iterator[SlowFilms]:
    """Serves the clips of a batch by their size in bytes."""
    films = {path.stat().st_size: path for path in (batch / "clips").iterdir()}

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            data = films[int(self.path.removeprefix("/"))].read_bytes()
            self.send_response(200)
            self.send_header("Content-Type", "video/mp4")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            half = len(data) // 2
            try:
                self.wfile.write(data[:half])
                self.wfile.flush()
                slow.release.wait(GIVES_UP_S)
                self.wfile.write(data[half:])
            except ConnectionError:
                self.close_connection = True

        def log_message(self, *_arguments: object) -> None:
            """Silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    slow = SlowFilms(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield slow
    finally:
        slow.release.set()
        server.shutdown()
        thread.join()
        server.server_close()
