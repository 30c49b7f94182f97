"""Has a platform make an export, and downloads it, as a program with a token or an account does."""

import time
from typing import Any

import httpx

from embedded.stages import StageError

POLL_S = 0.5
# of one answer
ANSWER_S = 60.0


def download_export(client: httpx.Client, sha256: str, *, origin: str = "person", within_s: float) -> bytes:
    """The bytes of a new export of the study; StageError says why there are none after `within_s`."""
    asked = client.post(f"/api/research/studies/{sha256}/export-jobs", json={"origin": origin}, timeout=ANSWER_S)
    job = _told(asked)
    end = time.monotonic() + within_s
    while job["state"] in ("queued", "running"):
        if time.monotonic() > end:
            raise StageError(
                f"The export is {job['state']} after {within_s:.0f} s; see the log of the worker in-depth."
            )
        time.sleep(POLL_S)
        job = _told(client.get(f"/api/research/studies/{sha256}/export-jobs/{job['id']}", timeout=ANSWER_S))
    if job["state"] != "done":
        raise StageError(f"The export is {job['state']}: {job['message']}")
    return _answered(client.get(job["file"], timeout=within_s)).content


def _told(answer: httpx.Response) -> dict[str, Any]:
    told: dict[str, Any] = _answered(answer).json()
    return told


def _answered(answer: httpx.Response) -> httpx.Response:
    if not answer.is_success:
        asked = f"{answer.request.method} {answer.url.path}"
        raise StageError(f"{asked} was answered with {answer.status_code}: {answer.text}")
    return answer
