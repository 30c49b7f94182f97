"""A researcher's account over HTTP, for what programs with a token may not do: close a study, read results unasked."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
from platform_process import Platform


@contextmanager
def researcher_client(platform: Platform) -> Iterator[httpx.Client]:
    """A client that has signed in as researcher and sends the CSRF token by itself."""
    with httpx.Client(base_url=platform.url, timeout=60) as client:
        client.get("/api/auth/me")
        client.headers["X-CSRFToken"] = client.cookies.get("csrftoken", "")
        account = {"username": "researcher", "password": platform.secret("researcher-password")}
        client.post("/api/auth/login", json=account).raise_for_status()
        client.headers["X-CSRFToken"] = client.cookies["csrftoken"]
        yield client


def close(client: httpx.Client, study: dict[str, Any]) -> None:
    """Close every link of the study for good."""
    for fielding in study["fieldings"]:
        address = f"/api/research/fieldings/{fielding['slug']}/state"
        client.post(address, json={"state": "closed"}).raise_for_status()


def wait_for_results(client: httpx.Client, sha256: str, *, votes: int, within_s: float, origin: str) -> dict[str, Any]:
    """The results once they contain all of so many votes; AssertionError after `within_s`."""
    return _wait(
        lambda: client.get(f"/api/research/studies/{sha256}/results", params={"origin": origin}),
        lambda found: found["status"] == "fresh" and found["snapshot"] and found["snapshot"]["votes"] == votes,
        f"results of {votes} votes",
        within_s,
    )


def wait_for_in_depth(client: httpx.Client, sha256: str, *, within_s: float, origin: str) -> dict[str, Any]:
    """The tables in depth once they are done; AssertionError where they fail, or after `within_s`."""
    found = _wait(
        lambda: client.get(f"/api/research/studies/{sha256}/results/in-depth", params={"origin": origin}),
        lambda answer: answer["status"] in ("done", "failed"),
        "tables in depth",
        within_s,
    )
    assert found["status"] == "done", found["error"]
    return found


def _wait(ask: Any, is_there: Any, what: str, within_s: float) -> dict[str, Any]:
    end = time.monotonic() + within_s
    while time.monotonic() < end:
        found: dict[str, Any] = ask().raise_for_status().json()
        if is_there(found):
            return found
        time.sleep(0.5)
    raise AssertionError(f"no {what} within {within_s:.0f} s: {found.get('status')}")
