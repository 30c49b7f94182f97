"""The health check of the web server's container: it lives while it answers and reaches the database."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from embedded.platform import answers
from embedded.supervisor import Answer
from health import alive
from lib.own_web import own_host


class Web(HTTPServer):
    """In the web server's place: answers with `status` and `body`, and notes the host that was asked for."""

    status, body, host = 200, b"", ""
    # what Content-Length states; None for no such header
    length: int | None = None


class Handler(BaseHTTPRequestHandler):
    server: Web

    def do_GET(self) -> None:
        self.server.host = self.headers["Host"]
        self.send_response(self.server.status)
        if self.server.length is not None:
            self.send_header("Content-Length", str(self.server.length))
        self.end_headers()
        self.wfile.write(self.server.body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    server = Web(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("EYELEVEL_BIND", f"0.0.0.0:{server.server_port}")
    monkeypatch.setenv("EYELEVEL_ALLOWED_HOSTS", "study.example.org,localhost")
    monkeypatch.setattr("sys.argv", ["alive", "web"])
    yield server
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("status", "body", "message"),
    [
        (200, {"database": True}, ""),
        (503, {"database": True, "worker": False}, ""),
        (503, {"database": False}, "The web server answers, but cannot reach the database"),
        (200, [], "answers, but not with Eyelevel's health report"),
    ],
)
def test_it_lives_while_it_reaches_the_database(
    web: Web, capsys: pytest.CaptureFixture[str], status: int, body: object, message: str
) -> None:
    web.status, web.body = status, json.dumps(body).encode()
    assert alive.main() == bool(message)
    assert message in capsys.readouterr().err
    assert web.host == "study.example.org"


def test_the_supervisor_asks_for_a_host_that_the_platform_answers(web: Web) -> None:
    web.status = 503
    assert answers(f"http://127.0.0.1:{web.server_port}") is Answer.YES
    assert web.host == "study.example.org"


def test_an_answer_that_is_cut_off_is_silence(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "length", 20)
    assert answers(f"http://127.0.0.1:{web.server_port}") is Answer.SILENT
    assert alive.main() == 1


def test_the_platform_asks_itself_without_a_proxy(web: Web) -> None:
    # in a separate process: urllib would read these variables only once per process
    program = "import os, sys; from lib.own_web import own_health; own_health(sys.argv[1], os.environ, timeout_s=2)"
    env = {**os.environ, "http_proxy": "http://127.0.0.1:1", "no_proxy": "", "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", program, f"http://127.0.0.1:{web.server_port}"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("allowed", "host"),
    [("", "localhost"), (" ,", "localhost"), (".example.org", "example.org"), ("*", "localhost"), ("[::1]", "[::1]")],
)
def test_the_first_allowed_name_is_the_host(allowed: str, host: str) -> None:
    assert own_host({"EYELEVEL_ALLOWED_HOSTS": allowed}) == host


def test_silence_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("EYELEVEL_BIND", "0.0.0.0:1")
    monkeypatch.setattr("sys.argv", ["alive", "web"])
    assert alive.main() == 1
    assert capsys.readouterr().err.startswith("The web server does not answer on port 1: ")
