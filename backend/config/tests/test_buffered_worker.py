"""The web server as `eyelevel serve` and the containers start it: slow clients keep nobody waiting."""

import contextlib
import hashlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from testing.slow_app import SIZES

# the platform has 2 processes of 8 threads
SLOW = 40
PATIENCE_S = 5.0
LARGE = 3 * 1024 * 1024
HEAD = b"GET /quick HTTP/1.1\r\nHost: localhost\r\n"
BODY = b"POST /api/withdrawals/lookup HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000\r\n\r\n["
LONG = b"GET /long HTTP/1.1\r\nHost: localhost\r\n\r\n"
HUGE = LONG.replace(b"long", b"huge")


class Web:
    """A running web server and its log."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.log = folder / "web.log"
        path = os.pathsep.join(str(settings.REPOSITORY / name) for name in ("backend", "pipeline"))
        env = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONPATH": path}
        command = [sys.executable, "-m", "gunicorn", "testing.slow_app:application"]
        command += ["--config", "python:config.gunicorn", "--bind", f"127.0.0.1:{self.port}"]
        with self.log.open("wb") as output:
            self.process = subprocess.Popen(command, env=env, stdout=output, stderr=output)
        end = time.monotonic() + 60
        while not self._listens():
            assert time.monotonic() < end, self.log.read_text()
            time.sleep(0.1)

    def _listens(self) -> bool:
        try:
            return self.ask(HEAD + b"\r\n").startswith(b"HTTP/1.1 200")
        except OSError:
            return False

    def connect(self, *, small: bool = False) -> socket.socket:
        client = socket.socket()
        if small:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.settimeout(PATIENCE_S)
        try:
            client.connect(("127.0.0.1", self.port))
        except OSError:
            client.close()
            raise
        return client

    def ask(self, request: bytes, rest: bytes = b"") -> bytes:
        """The whole response to a request, sent on a separate connection."""
        with self.connect() as client:
            client.sendall(request)
            if rest:
                client.sendall(rest)
            return response_of(client)


def response_of(client: socket.socket) -> bytes:
    """The next response: its head, and as much as its Content-Length says."""
    received = b""
    while b"\r\n\r\n" not in received and (chunk := client.recv(65536)):
        received += chunk
    head, _, body = received.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0] or 0)
    while len(body) < length and (chunk := client.recv(1 << 20)):
        body += chunk
    return head + b"\r\n\r\n" + body


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Web]:
    started = Web(tmp_path)
    try:
        yield started
    finally:
        started.process.kill()
        started.process.wait()


@pytest.mark.parametrize(
    ("begin", "reads"),
    [(HEAD, False), (BODY, False), (LONG, True), (HUGE, True), (LONG * 150, True)],
    ids=["headers", "body", "reading", "reading-what-is-huge", "pipelining"],
)
def test_slow_clients_keep_nobody_waiting(web: Web, *, begin: bytes, reads: bool) -> None:
    slow = [web.connect(small=reads) for _ in range(SLOW)]
    for client in slow:
        client.sendall(begin)
    time.sleep(1)
    for client in slow:
        # one more byte, or one more taken
        if reads:
            assert client.recv(16).startswith(b"HTTP/1.1 200")
        else:
            client.sendall(b"X")
    for _ in range(20):
        begun = time.monotonic()
        assert web.ask(HEAD + b"\r\n").startswith(b"HTTP/1.1 200")
        assert time.monotonic() - begun < PATIENCE_S
    for client in slow:
        client.close()


def test_little_is_on_its_way_to_who_reads_nothing(web: Web) -> None:
    output = subprocess.run(["pgrep", "-P", str(web.process.pid)], capture_output=True, text=True, check=True)
    workers = [int(pid) for pid in output.stdout.split()]
    with web.connect(small=True) as client:
        client.sendall(HUGE)
        time.sleep(1)
        for pid in workers:
            os.kill(pid, signal.SIGSTOP)
        client.settimeout(1)
        received = 0
        with contextlib.suppress(TimeoutError):
            while chunk := client.recv(1 << 20):
                received += len(chunk)
        for pid in workers:
            os.kill(pid, signal.SIGCONT)
    assert 0 < received < 1024 * 1024


def test_a_slow_reader_gets_everything(web: Web) -> None:
    with web.connect() as client:
        client.sendall(LONG)
        time.sleep(1)
        assert len(response_of(client).partition(b"\r\n\r\n")[2]) == SIZES["/long"]


def blob(length: int, *fields: bytes) -> bytes:
    head = b"PUT /api/batches/a/blobs/b HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n" % length
    return head + b"".join(field + b"\r\n" for field in fields) + b"\r\n"


def test_a_file_of_a_batch_is_streamed(web: Web) -> None:
    content = os.urandom(LARGE)
    answer = web.ask(blob(LARGE, b"Authorization: Bearer x") + content[:1000], content[1000:])
    assert answer.endswith(hashlib.sha256(content).hexdigest().encode())


def test_who_may_not_send_a_file_is_told_before_it_is_sent(web: Web) -> None:
    assert web.ask(blob(1 << 30) + b"x" * 1000).startswith(b"HTTP/1.1 401")


def test_a_sender_who_waits_for_100_continue_gets_it_once_the_file_is_wanted(web: Web) -> None:
    fields = (b"Authorization: Bearer x", b"Expect: 100-continue")
    with web.connect() as client:
        client.sendall(blob(3, *fields))
        assert client.recv(1000) == b"HTTP/1.1 100 Continue\r\n\r\n"
        client.sendall(b"abc")
        assert hashlib.sha256(b"abc").hexdigest().encode() in response_of(client)
    assert web.ask(blob(3, b"Expect: 100-continue")).startswith(b"HTTP/1.1 401")


def test_two_requests_by_one_connection_are_two_answers(web: Web) -> None:
    with web.connect() as client:
        for _ in range(2):
            client.sendall(b"POST /quick HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc")
            assert hashlib.sha256(b"abc").hexdigest().encode() in response_of(client)


def test_of_several_requests_sent_at_once_the_first_is_answered(web: Web) -> None:
    with web.connect() as client:
        client.sendall((HEAD + b"\r\n") * 3)
        answer = response_of(client)
        assert answer.startswith(b"HTTP/1.1 200")
        assert b"Connection: close" in answer
        assert client.recv(1) == b""


def test_what_nobody_read_of_a_body_is_no_request(web: Web) -> None:
    with web.connect() as client:
        client.sendall(blob(1 << 30))
        assert response_of(client).startswith(b"HTTP/1.1 401")
        assert client.recv(1) == b""


@pytest.mark.parametrize(
    "request_",
    [b"GET / HTTP/1.1\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n", b"GET http://[ HTTP/1.1\r\n\r\n"],
    ids=["length", "address"],
)
def test_what_cannot_be_read_is_answered_400(web: Web, request_: bytes) -> None:
    assert web.ask(request_).startswith(b"HTTP/1.1 400"), web.log.read_text()


def test_a_malformed_request_leaves_no_address_in_the_log(web: Web) -> None:
    for request in (
        b"\x00\x01 nothing\r\n\r\n",
        b"GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
        b"GET /" + b"a" * 40000,
    ):
        answer = web.ask(request)
        assert answer.startswith((b"HTTP/1.0 4", b"HTTP/1.1 4")), answer
    assert "127.0.0.1" not in web.log.read_text()


def test_it_stops_within_the_supervisors_patience_and_finishes_what_it_had_begun(web: Web) -> None:
    slow = [web.connect() for _ in range(SLOW)]
    for client in slow:
        client.sendall(BODY)
    reader = web.connect()
    reader.sendall(LONG)
    assert reader.recv(16).startswith(b"HTTP/1.1 200")
    web.process.send_signal(signal.SIGTERM)
    received = 16
    while chunk := reader.recv(1 << 20):
        received += len(chunk)
    assert received > SIZES["/long"]
    for client in (*slow, reader):
        client.close()
    assert web.process.wait(20) == 0
