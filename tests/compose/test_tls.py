"""deploy/Caddyfile with Debian's Caddy on loopback: what it passes on to the platform, and that it logs no visitor."""

import http.client
import os
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from compose.proxy import BROKEN, Upstream, head

PROGRAM = shutil.which("caddy")
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="needs caddy, e.g. Debian's package")

CADDYFILE = Path(__file__).resolve().parents[2] / "deploy" / "Caddyfile"
START_S, PATIENCE_S = 20.0, 10.0
FORGED = "203.0.113.77"
LARGE = 8 << 20
CURLE_SSL_CONNECT_ERROR = 35


@dataclass
class Caddy:
    """A running Caddy: its ports, its certificate authority, the server behind it, and the file of its log."""

    https: int
    http: int
    root: Path
    upstream: Upstream
    log: Path

    def context(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.root))

    def connect(self) -> http.client.HTTPSConnection:
        return http.client.HTTPSConnection("localhost", self.https, context=self.context(), timeout=PATIENCE_S)


def free_ports(count: int) -> list[int]:
    held = [socket.socket() for _ in range(count)]
    for listener in held:
        listener.bind(("127.0.0.1", 0))
    ports = [listener.getsockname()[1] for listener in held]
    for listener in held:
        listener.close()
    return ports


@pytest.fixture(scope="module")
def caddy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Caddy]:
    folder = tmp_path_factory.mktemp("caddy")
    https, plain, alive = free_ports(3)
    text = CADDYFILE.read_text()
    for old, new in {
        "admin off": f"admin off\n\thttp_port {plain}\n\thttps_port {https}",
        # less patience than in the containers
        "read_header 15s": "read_header 1s",
        "127.0.0.1:2020": f"127.0.0.1:{alive}",
    }.items():
        assert old in text
        text = text.replace(old, new)
    (folder / "Caddyfile").write_text(text)
    upstream = Upstream()
    threading.Thread(target=upstream.serve_forever, daemon=True).start()
    log = folder / "log"
    variables = {
        "EYELEVEL_DOMAIN": "localhost",
        "EYELEVEL_UPSTREAM": f"127.0.0.1:{upstream.server_port}",
        "HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder),
    }  # fmt: skip
    command = [str(PROGRAM), "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]
    with log.open("wb") as log_file:
        process = subprocess.Popen(command, env={**os.environ, **variables}, stderr=log_file, cwd=folder)
    root = folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"
    try:
        _wait(process, https, root)
        yield Caddy(https, plain, root, upstream, log)
    finally:
        process.terminate()
        process.wait(START_S)
        upstream.shutdown()
        upstream.server_close()


def _wait(process: subprocess.Popen[bytes], port: int, root: Path) -> None:
    end = time.monotonic() + START_S
    while True:
        assert process.poll() is None, f"caddy ended with {process.returncode}"
        assert time.monotonic() < end, "caddy does not answer"
        try:
            context = ssl.create_default_context(cafile=str(root))
            with socket.create_connection(("127.0.0.1", port), timeout=1) as client:
                context.wrap_socket(client, server_hostname="localhost").close()
        except OSError:
            time.sleep(0.05)
        else:
            return


def test_the_platform_is_told_of_https_and_of_nobodys_forged_headers(caddy: Caddy) -> None:
    connection = caddy.connect()
    connection.request("GET", "/", headers={"X-Forwarded-For": FORGED, "X-Forwarded-Proto": "http"})
    answer = connection.getresponse()
    connection.close()
    headers = caddy.upstream.arrived.get(timeout=PATIENCE_S)[1]
    assert answer.status == 200
    assert (headers["X-Forwarded-Proto"], headers["X-Forwarded-For"]) == ("https", "127.0.0.1")
    assert headers["Host"] == f"localhost:{caddy.https}"
    assert answer.headers["Alt-Svc"].startswith(f'h3=":{caddy.https}"')


def test_http_is_redirected(caddy: Caddy) -> None:
    connection = http.client.HTTPConnection("localhost", caddy.http, timeout=PATIENCE_S)
    connection.request("GET", "/s/study")
    answer = connection.getresponse()
    connection.close()
    assert (answer.status, answer.headers["Location"]) == (308, "https://localhost/s/study")


def test_a_file_passes_as_it_comes(caddy: Caddy) -> None:
    """The proxy and the platform decide how long it may be."""
    connection = caddy.connect()
    connection.request("PUT", "/api/batches/a/blobs/b", body=b"x" * LARGE)
    assert connection.getresponse().status == 200
    connection.close()
    assert caddy.upstream.arrived.get(timeout=PATIENCE_S)[1]["Content-Length"] == str(LARGE)


def curl(caddy: Caddy, *options: str) -> subprocess.CompletedProcess[str]:
    command = ["curl", "-sS", "--cacert", str(caddy.root), "-o", os.devnull, "-w", "%{http_version}", *options]
    return subprocess.run([*command, f"https://localhost:{caddy.https}/"], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("option", "version"), [("--http1.1", "1.1"), ("--http2", "2")])
def test_versions_of_http(caddy: Caddy, option: str, version: str) -> None:
    assert curl(caddy, option, "--tlsv1.2", "--tls-max", "1.2").stdout == version
    assert curl(caddy, option, "--tlsv1.3").stdout == version


def test_old_versions_of_tls_are_refused(caddy: Caddy) -> None:
    # this side must be willing
    done = curl(caddy, "--tlsv1.0", "--tls-max", "1.1", "--ciphers", "DEFAULT@SECLEVEL=0")
    assert done.returncode == CURLE_SSL_CONNECT_ERROR
    assert "protocol version" in done.stderr


def test_who_sends_headers_slowly_is_dropped(caddy: Caddy) -> None:
    with caddy.context().wrap_socket(
        socket.create_connection(("127.0.0.1", caddy.https), timeout=PATIENCE_S), server_hostname="localhost"
    ) as slow:
        slow.sendall(head("GET /")[:-2])
        assert slow.recv(100) == b""


def test_no_fault_leaves_an_address_in_the_log(caddy: Caddy) -> None:
    with socket.create_connection(("127.0.0.1", caddy.https)) as garbage:
        garbage.sendall(b"GET / HTTP/1.1\r\n\r\n")
        garbage.recv(1000)
    # a server behind it that breaks off
    connection = caddy.connect()
    connection.request("GET", BROKEN, headers={"X-Forwarded-For": FORGED})
    assert connection.getresponse().status == 502
    connection.close()
    text = caddy.log.read_text()
    assert "serving initial configuration" in text
    assert FORGED not in text
    assert "127.0.0.1" not in text
