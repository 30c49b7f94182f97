"""Checks TLS in front of the containers as docker-compose.tls.yml has it, under the name localhost."""

import os
import ssl
import subprocess
import tempfile
from pathlib import Path

import httpx
from compose.addresses import PLANTED, demand_no_address
from compose.containers import SERVICES, compose, wait_until
from compose.rights import check_rights
from compose.signs_of_life import check_health

ORIGIN = "https://localhost"
ROOT = "/data/caddy/pki/authorities/local/root.crt"
YEAR_S = 31_536_000
BLOB_BYTES = 64 << 20


def main() -> None:
    """Headers, cookies, protocols and a large request."""
    with tempfile.NamedTemporaryFile(suffix=".crt") as file:
        wait_until(lambda: _answers(file.name), f"{ORIGIN} answers")
        _check_redirect()
        with httpx.Client(base_url=ORIGIN, verify=_context(file.name)) as client:
            _check_headers(client)
            _check_large(client)
        _check_versions(file.name)
    check_health(tls=True)
    check_rights(("caddy",))
    demand_no_address(SERVICES)
    print("TLS: redirect, HSTS, cookies of this host over https alone, HTTP/1.1, HTTP/2 and HTTP/3, large requests")


def _context(root: str) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=root)


def _answers(root: str) -> bool:
    try:
        Path(root).write_text(compose("exec", "-T", "caddy", "cat", ROOT))
        return httpx.get(f"{ORIGIN}/api/health", verify=_context(root)).status_code == 200
    except (SystemExit, httpx.HTTPError, OSError):
        return False


def _check_redirect() -> None:
    answer = httpx.get("http://localhost/s/some-study")
    if (answer.status_code, answer.headers.get("Location")) != (308, f"{ORIGIN}/s/some-study"):
        raise SystemExit(f"http is answered with {answer.status_code} to {answer.headers.get('Location')}.")


def _check_headers(client: httpx.Client) -> None:
    # what a visitor says of the way here is not believed
    forged = {"X-Forwarded-Proto": "http", "X-Forwarded-For": PLANTED}
    answer = client.get("/api/auth/me", headers=forged)
    cookie = answer.headers.get("Set-Cookie", "")
    if answer.status_code != 401 or not cookie.startswith("__Host-csrftoken=") or "Secure" not in cookie:
        raise SystemExit(f"/api/auth/me is answered with {answer.status_code} and the cookie {cookie!r}.")
    hsts = answer.headers.get("Strict-Transport-Security", "")
    if hsts != f"max-age={YEAR_S}; includeSubDomains":
        raise SystemExit(f"Strict-Transport-Security is {hsts!r}.")


def _check_large(client: httpx.Client) -> None:
    """A file of a batch passes whole; the platform, not a proxy, refuses the sender who has no token."""
    answer = client.put(f"/api/batches/{'0' * 64}/blobs/{'0' * 64}", content=b"x" * BLOB_BYTES, timeout=120)
    if answer.status_code != 401:
        raise SystemExit(f"A file of {BLOB_BYTES} bytes is answered with {answer.status_code}: {answer.text[:200]}")


def _check_versions(root: str) -> None:
    for option, version in (("--http1.1", "1.1"), ("--http2", "2")):
        command = ["curl", "-sS", "--cacert", root, option, "-o", os.devnull, "-w", "%{http_version}", ORIGIN]
        spoken = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        if spoken != version:
            raise SystemExit(f"curl {option} got HTTP/{spoken}.")
    spoken = _protocol_of_chromium()
    if spoken != "h3":
        raise SystemExit(f"Chromium with QUIC got {spoken}, not h3.")


def _protocol_of_chromium() -> str:
    """The protocol of a request that Chromium may make by QUIC alone."""
    from playwright.sync_api import sync_playwright

    # Chromium does not use QUIC with certificates of its own machine's authorities unless it is told to
    flags = [
        "--origin-to-force-quic-on=localhost:443",
        "--host-resolver-rules=MAP localhost 127.0.0.1",
        f"--ignore-certificate-errors-spki-list={_spki()}",
    ]
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=flags)
        try:
            page = chromium.new_page()
            page.goto(f"{ORIGIN}/", timeout=60_000)
            found: str = page.evaluate("performance.getEntriesByType('navigation')[0].nextHopProtocol")
        finally:
            chromium.close()
    return found


def _spki() -> str:
    """The digest of the server's public key, by which Chromium is told to trust it."""
    command = (
        "openssl s_client -connect localhost:443 -servername localhost </dev/null 2>/dev/null"
        " | openssl x509 -pubkey -noout | openssl pkey -pubin -outform der"
        " | openssl dgst -sha256 -binary | openssl enc -base64"
    )
    return subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    main()
