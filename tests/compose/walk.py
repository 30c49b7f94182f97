"""Walks one session through the containers on loopback, and searches all logs for the participant's address."""

import contextlib
import json
import secrets
import socket
import sys
import time

import httpx
from compose.addresses import PLANTED, demand_no_address
from compose.containers import REPOSITORY, SERVICES, compose, eyelevel, wait_until_healthy
from compose.rights import check_rights

SAMPLE = REPOSITORY / "fixtures" / "sample-batch"
STUDY = REPOSITORY / "fixtures" / "study-demo.yaml"
RESULTS_S = 60.0
SLOW = 40


def make_accounts() -> dict[str, str]:
    """The demo's accounts; a token for each scope."""
    settings = {
        "EYELEVEL_DEMO_ACCOUNTS": "1",
        "EYELEVEL_DEMO_RESEARCHER_PASSWORD": secrets.token_urlsafe(9),
        "EYELEVEL_DEMO_ADMIN_PASSWORD": secrets.token_urlsafe(9),
    }
    options = [part for key, value in settings.items() for part in ("-e", f"{key}={value}")]
    output = compose("exec", "-T", *options, "web", "python", "manage.py", "ensure_accounts")
    tokens: dict[str, str] = json.loads(output)["tokens"]
    return tokens


def check_video(url: str, slug: str) -> None:
    """The proxy sends a participant's video, in parts too, by the tag that the platform gave it."""
    with httpx.Client(base_url=url) as client:
        consent = client.get(f"/api/participate/{slug}").raise_for_status().json()["consent"]
        screen = {"width_px": 1440, "height_px": 900, "device_pixel_ratio": 1}
        body = {"language": "en", "consent_version": consent["version"], "screen": screen}
        session = client.post(f"/api/participate/{slug}/sessions", json=body).raise_for_status().json()
        clip = session["trials"][0]["clip"]
        whole = client.get(clip["url"]).raise_for_status()
        if (len(whole.content), whole.headers.get("ETag")) != (clip["bytes"], f'"{clip["digest"]}"'):
            raise SystemExit(f"A video came with {len(whole.content)} bytes and {whole.headers}.")
        part = client.get(clip["url"], headers={"Range": "bytes=-1000"})
        if (part.status_code, part.content) != (206, whole.content[-1000:]):
            raise SystemExit(f"The end of a video was answered with {part.status_code}.")
        status = client.get(clip["url"], headers={"Range": f"bytes=0-{'9' * 5000}"}).status_code
        if status != httpx.codes.REQUESTED_RANGE_NOT_SATISFIABLE:
            raise SystemExit(f"A part of a video with thousands of digits was answered with {status}.")
    print("videos come whole and in parts")


def walk(url: str) -> None:
    tokens = make_accounts()
    eyelevel("push", str(SAMPLE), "--to", url, token=tokens["batches"])
    study = json.loads(eyelevel("study", "publish", str(STUDY), "--to", url, token=tokens["studies"]))
    slug = study["fieldings"][0]["slug"]
    httpx.get(
        f"{url}/api/participate/{slug}", headers={"X-Forwarded-For": PLANTED, "X-Real-IP": PLANTED}
    ).raise_for_status()
    httpx.get(f"{url}/clips/no-such-token", headers={"X-Forwarded-For": PLANTED})
    check_video(url, slug)
    command = ("simulate", "--study", f"{url}/s/{slug}", "--participants", "1", "--seed", "1")
    counts = json.loads(eyelevel(*command, token=tokens["studies"]))
    print("simulated:", json.dumps(counts))
    end = time.monotonic() + RESULTS_S
    while time.monotonic() < end:
        results = httpx.get(
            f"{url}/api/research/studies/{study['sha256']}/results?origin=all",
            headers={"Authorization": f"Bearer {tokens['studies']}"},
        ).json()
        if results["status"] == "fresh" and results["snapshot"]["votes"] == counts["votes"] > 0:
            print(f"analysed: {results['snapshot']['votes']} votes, {len(results['tables'])} tables")
            return
        time.sleep(1)
    raise SystemExit(f"No fresh results within {RESULTS_S:.0f} s: {results['status']}.")


def check_durable() -> None:
    """The database answers a commit only once it is on disk."""
    for name in ("fsync", "synchronous_commit", "full_page_writes"):
        value = compose("exec", "-T", "postgres", "psql", "-U", "eyelevel", "-Atc", f"SHOW {name}").strip()
        if value != "on":
            raise SystemExit(f"{name} is {value} in the database of docker-compose.yml, but must be on.")


def check_slow_clients(url: str) -> None:
    """Forty connections that send headers slowly and forty that send a body slowly keep nobody waiting."""
    address = httpx.URL(url)
    host = f"Host: {address.host}\r\n"
    body = f"POST /api/withdrawals/lookup HTTP/1.1\r\n{host}Content-Length: 900000\r\n\r\n["
    beginnings = [f"GET /api/auth/me HTTP/1.1\r\n{host}", body]
    with contextlib.ExitStack() as slow:
        for beginning in beginnings * SLOW:
            client = slow.enter_context(socket.create_connection((address.host, address.port or 80)))
            client.sendall(beginning.encode())
        time.sleep(1)
        for _ in range(10):
            if httpx.get(f"{url}/api/auth/me", timeout=5).status_code != 401:
                raise SystemExit("Another visitor is not answered while clients are slow.")
    print(f"others are answered beside {2 * SLOW} slow connections")


def main() -> None:
    url = sys.argv[1]
    wait_until_healthy(url)
    check_rights(SERVICES[:-1])
    check_durable()
    check_slow_clients(url)
    walk(url)
    demand_no_address(SERVICES[:-1])


if __name__ == "__main__":
    main()
