"""Requests an export from a platform and downloads it, with a token or an account."""

import time
from typing import Any

import httpx

from embedded.stages import StageError

POLL_S = 0.5
# timeout of one response
ANSWER_S = 60.0


def download_export(client: httpx.Client, sha256: str, *, origin: str = "person", within_s: float) -> bytes:
    """Download a new export of the study; raises StageError if it fails or takes longer than `within_s`."""
    asked = client.post(f"/api/research/studies/{sha256}/export-jobs", json={"origin": origin}, timeout=ANSWER_S)
    job = _json(asked)
    end = time.monotonic() + within_s
    while job["state"] in ("queued", "running"):
        if time.monotonic() > end:
            raise StageError(
                f"The export is still {job['state']} after {within_s:.0f} s; see the log of the worker in-depth."
            )
        time.sleep(POLL_S)
        job = _json(client.get(f"/api/research/studies/{sha256}/export-jobs/{job['id']}", timeout=ANSWER_S))
    if job["state"] != "done":
        raise StageError(f"The export is {job['state']}: {job['message']}")
    return _answered(client.get(job["file"], timeout=within_s)).content


def _json(answer: httpx.Response) -> dict[str, Any]:
    body: dict[str, Any] = _answered(answer).json()
    return body


def _answered(answer: httpx.Response) -> httpx.Response:
    if not answer.is_success:
        asked = f"{answer.request.method} {answer.url.path}"
        raise StageError(f"{asked} returned status {answer.status_code}: {answer.text}")
    return answer
