"""A small platform on a real socket that keeps the receiving protocol of docs/contracts/api.md, and can misbehave."""

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOKEN = "a-token"


@dataclass
class State:
    """What the platform holds, what it was asked, and the faults it will still show.

    A fault is (method, what): `cut` closes the connection in the middle of the body, `busy` answers 503 with
    `retry: true`, `broken` answers 500 without an error object, `lose` forgets a blob before the commit, `refuse` finds
    a bad video after it. A commit takes as many questions as `checks` has entries, each the number of takes and videos
    that are checked by then.
    """

    blobs: dict[str, bytes] = field(default_factory=dict)
    receiving: dict[str, dict[str, Any]] = field(default_factory=dict)
    visible: set[str] = field(default_factory=set)
    asked: list[tuple[str, str]] = field(default_factory=list)
    faults: list[tuple[str, str]] = field(default_factory=list)
    checks: list[int] = field(default_factory=list)
    url: str = ""

    def puts(self) -> list[str]:
        return [path.rpartition("/")[2] for method, path in self.asked if method == "PUT"]

    def fault(self, method: str) -> str | None:
        if self.faults and self.faults[0][0] == method:
            return self.faults.pop(0)[1]
        return None

    def missing(self, sha256: str) -> list[str]:
        wanted = {listed["sha256"] for listed in self.receiving[sha256]["files"].values()}
        return sorted(wanted - set(self.blobs))


class Handler(BaseHTTPRequestHandler):
    """One request of the protocol."""

    protocol_version = "HTTP/1.1"
    state: State

    def do_POST(self) -> None:
        self._ask("POST")

    def do_GET(self) -> None:
        self._ask("GET")

    def do_PUT(self) -> None:
        self._ask("PUT")

    def log_message(self, *_: object) -> None:
        pass

    def _ask(self, method: str) -> None:
        self.state.asked.append((method, self.path))
        fault = self.state.fault(method)
        length = int(self.headers["Content-Length"] or 0)
        if fault == "cut":
            self.rfile.read(length // 2)
            self.close_connection = True
            self.connection.close()
            return
        body = self.rfile.read(length)
        if fault == "busy":
            self._error(503, "busy", "The platform is busy.", retry=True)
        elif fault == "broken":
            self._send(500, b"<h1>Server Error</h1>", "text/html")
        elif self.headers["Authorization"] != f"Bearer {TOKEN}":
            self._error(401, "wrong_token", "This token is not known here; make one on the admin's page.")
        elif method == "PUT":
            self._put(body)
        elif fault == "refuse":
            self._error(422, "bad_video", "clips/a.mp4 is not the declared clip.")
        elif self.path == "/api/batches":
            self._announce(body)
        else:
            self._commit(lose=fault == "lose")

    def _announce(self, body: bytes) -> None:
        sha256 = hashlib.sha256(body).hexdigest()
        if sha256 in self.state.visible:
            self._json(200, {"sha256": sha256, "state": "visible", "missing": self.state.missing(sha256)})
            return
        self.state.receiving[sha256] = json.loads(body)
        self._json(200, {"sha256": sha256, "state": "receiving", "missing": self.state.missing(sha256)})

    def _put(self, body: bytes) -> None:
        *_, sha256, _, digest = self.path.split("/")
        if digest not in {listed["sha256"] for listed in self.state.receiving[sha256]["files"].values()}:
            self._error(422, "not_listed", f"The manifest does not list {digest}.")
        elif hashlib.sha256(body).hexdigest() != digest:
            del self.state.receiving[sha256]
            self._error(422, "wrong_digest", f"The bytes of {digest} have another digest; the batch is refused.")
        else:
            self.state.blobs[digest] = body
            self._send(204, b"", None)

    def _commit(self, *, lose: bool) -> None:
        sha256 = self.path.split("/")[-2]
        if lose:
            self.state.blobs.popitem()
        if missing := self.state.missing(sha256):
            del self.state.receiving[sha256]
            self._error(409, "blobs_missing", f"{len(missing)} files did not arrive.", details={"missing": missing})
            return
        if self.state.checks:
            counts = {"checks_done": self.state.checks.pop(0), "checks_total": 38}
            self._json(202, {"sha256": sha256, "state": "committing", "missing": [], **counts})
            return
        self.state.visible.add(sha256)
        self._json(200, {"sha256": sha256, "state": "visible", "missing": []})

    def _error(self, status: int, code: str, message: str, *, retry: bool = False, **more: Any) -> None:
        self._json(status, {"error": {"code": code, "message": message, "retry": retry, "details": {}, **more}})

    def _json(self, status: int, value: object) -> None:
        self._send(status, json.dumps(value).encode(), "application/json")

    def _send(self, status: int, body: bytes, content_type: str | None) -> None:
        self.send_response(status)
        if content_type is not None:
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """The address of a server with this handler, on a free port."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
