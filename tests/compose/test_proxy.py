"""The containers' nginx as it is configured: what it buffers, what it limits, whom it drops."""

import queue
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from compose.proxy import (
    BROKEN,
    CLIPS,
    ETAG,
    POLICY,
    PROGRAM,
    SILENT,
    SLOW_S,
    TRICKLING,
    Proxy,
    command,
    filled,
    head,
    running,
)

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="needs nginx, e.g. Debian's nginx-light")

MIB = 1 << 20
BLOB = "/api/batches/a/blobs/b"
# what is asked of nginx.conf: seconds until a client that stalls is dropped, requests at a time, logins at once
STALL_S, CONNECTIONS, MANIFESTS, LOGINS = 15, 300, 4, 11
NOT_YET_S, PATIENCE_S = 1.0, 10.0
# linux/tcp_states.h
TCP_ESTABLISHED = 1
FILM = bytes(range(256)) * 4
DENIED = "default-src 'none'; frame-ancestors 'none'"


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    with running(tmp_path_factory.mktemp("proxy")) as started:
        (started.blobs / "ab" / "film").write_bytes(FILM)
        yield started


@pytest.fixture(autouse=True)
def _nothing_arrived(proxy: Proxy) -> None:
    with proxy.upstream.arrived.mutex:
        proxy.upstream.arrived.queue.clear()


def visitor(address: str) -> dict[str, str]:
    """As a proxy for TLS names a visitor; each test has addresses of its own."""
    return {"X-Forwarded-For": address}


def test_nginx_accepts_the_configuration(tmp_path: Path) -> None:
    file = filled(tmp_path, port=8080, web="http://127.0.0.1:8000")
    done = subprocess.run([*command(file), "-t"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_files_of_a_batch_are_passed_on_as_they_come_and_all_else_once_it_is_here(proxy: Proxy) -> None:
    length = "Content-Length: 1000"
    for request in ("POST /api/withdrawals/lookup", "POST /api/batches", "PUT /api/session/votes/a"):
        with proxy.connect(head(request, length) + b"x" * 999) as client:
            with pytest.raises(queue.Empty):
                proxy.upstream.arrived.get(timeout=NOT_YET_S)
            client.sendall(b"x")
            assert client.recv(100).startswith(b"HTTP/1.1 200")
            assert proxy.upstream.arrived.get_nowait()[0] == request.split()[1]
    with proxy.connect(head(f"PUT {BLOB}", length) + b"x"):
        assert proxy.upstream.arrived.get(timeout=PATIENCE_S)[0] == BLOB


@pytest.mark.parametrize(
    ("request_", "limit"),
    [("POST /api/research/studies", 3 * MIB), ("POST /api/batches", 17 * MIB), (f"PUT {BLOB}", 2048 * MIB)],
    ids=["study", "manifest", "file"],
)
def test_how_long_a_body_may_be(proxy: Proxy, request_: str, limit: int) -> None:
    for length, status_line in ((limit, b"HTTP/1.1 100"), (limit + 1, b"HTTP/1.1 413")):
        with proxy.connect(head(request_, f"Content-Length: {length}", "Expect: 100-continue")) as client:
            assert client.recv(100).startswith(status_line)


def test_logins_of_an_address_are_limited(proxy: Proxy) -> None:
    path, address = "/api/auth/login", "192.0.2.1"
    with httpx.Client(base_url=proxy.url) as client:
        statuses = [client.post(path, headers=visitor(address)).status_code for _ in range(3 * LOGINS)]
        assert statuses[:LOGINS] == [200] * LOGINS
        assert 429 in statuses[LOGINS:]
        assert client.post(path, headers=visitor("192.0.2.3")).status_code == 200
        assert client.get("/", headers=visitor(address)).status_code == 200


@pytest.mark.parametrize(
    ("path", "count", "address", "other"),
    [
        ("/api/withdrawals/lookup", CONNECTIONS, "192.0.2.10", "192.0.2.11"),
        ("/api/batches", MANIFESTS, "192.0.2.12", "192.0.2.13"),
    ],
    ids=["all", "manifests"],
)
def test_requests_of_an_address_at_a_time_are_limited(
    proxy: Proxy, path: str, count: int, address: str, other: str
) -> None:
    with ExitStack() as held:
        begun = head(f"POST {path}", f"X-Forwarded-For: {address}", "Content-Length: 1000") + b"x"
        for _ in range(count):
            held.enter_context(proxy.connect(begun))
        end = time.monotonic() + PATIENCE_S
        while (answer := httpx.get(proxy.url + path, headers=visitor(address))).status_code == 200:
            assert time.monotonic() < end, "no limit"
        assert (answer.status_code, answer.headers["Content-Security-Policy"]) == (429, DENIED)
        assert httpx.get(proxy.url + path, headers=visitor(other)).status_code == 200


def is_open(client: socket.socket) -> bool:
    """Whether the server has not closed it; reads nothing."""
    state = client.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0]
    return state == TCP_ESTABLISHED


def test_who_stalls_is_dropped(proxy: Proxy) -> None:
    with (proxy.blobs / "ab" / "long").open("wb") as file:
        file.truncate(64 * MIB)
    unfinished = head("GET /")[: -len("\r\n")]
    body = head("POST /api/withdrawals/lookup", "Content-Length: 1000") + b"x"
    since = time.monotonic()
    with (
        proxy.connect(unfinished) as silent,
        proxy.connect(unfinished) as trickling,
        proxy.connect(body) as half,
        proxy.connect(head(f"GET {CLIPS}long"), small=True) as reader,
    ):
        left = {silent, trickling, half, reader}
        while left:
            assert time.monotonic() - since < STALL_S + PATIENCE_S, "still open"
            time.sleep(1)
            left = {client for client in left if is_open(client)}
            if trickling in left:
                trickling.send(b"X")
            if time.monotonic() - since < STALL_S - 2:
                assert len(left) == 4
        assert proxy.upstream.arrived.get_nowait()[0] == f"{CLIPS}long"
        assert proxy.upstream.arrived.empty()


@pytest.mark.parametrize(
    ("wanted", "status", "part"),
    [
        ("bytes=2-5", 206, FILM[2:6]),
        ("bytes=-5", 206, FILM[-5:]),
        (f"bytes=0-{'9' * 5000}", 416, None),
        (f"bytes={len(FILM)}-", 416, None),
        ("", 200, FILM),
    ],
    ids=["part", "end", "digits", "behind", "whole"],
)
def test_a_video_has_the_platforms_headers_and_no_date_or_tag_of_the_file(
    proxy: Proxy, wanted: str, status: int, part: bytes | None
) -> None:
    answer = httpx.get(proxy.url + CLIPS + "film", headers={"Range": wanted} if wanted else {})
    assert answer.status_code == status
    assert "Last-Modified" not in answer.headers
    if part is not None:
        assert answer.content == part
        assert (answer.headers["ETag"], answer.headers["Content-Type"]) == (ETAG, "video/mp4")
        assert answer.headers["Cache-Control"] == "private"
        assert answer.headers["Content-Security-Policy"] == DENIED


def test_blobs_are_nobodys_to_ask_for(proxy: Proxy) -> None:
    assert httpx.get(f"{proxy.url}/blobs/ab/film").status_code == 404


def test_no_address_goes_further(proxy: Proxy) -> None:
    httpx.get(proxy.url, headers=visitor("192.0.2.20") | {"X-Forwarded-Proto": "https"})
    headers = proxy.upstream.arrived.get_nowait()[1]
    assert "192.0.2.20" not in str(headers)
    assert headers["X-Forwarded-Proto"] == "https"
    assert headers["Host"] == f"127.0.0.1:{proxy.port}"


def test_no_request_is_sent_back(proxy: Proxy) -> None:
    assert httpx.request("TRACE", proxy.url).status_code == 405


def test_each_answer_has_one_policy(proxy: Proxy) -> None:
    answer = httpx.get(proxy.url)
    assert answer.headers.get_list("Content-Security-Policy") == [POLICY]
    broken = httpx.get(proxy.url + BROKEN)
    assert broken.status_code == 502
    assert broken.headers.get_list("Content-Security-Policy") == [DENIED]


def test_an_answer_is_cut_off_before_its_first_byte_only(tmp_path: Path) -> None:
    """As an export: the platform makes it, and then sends it for as long as its bytes take."""
    with running(tmp_path, read_s=SLOW_S // 2) as impatient:
        answer = httpx.get(impatient.url + TRICKLING, timeout=PATIENCE_S)
        assert (answer.status_code, answer.text) == (200, "x" * SLOW_S)
        assert httpx.get(impatient.url + SILENT, timeout=PATIENCE_S).status_code == 504
