"""Client of the participant API, with a cookie jar per participant, and retries if there is no response."""

import hashlib
import hmac
import time
from collections.abc import Callable
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import httpx

from eyelevel.errors import BadInputError, RefusedError, UnreachableError

TRIES = 5
FIRST_PAUSE_S = 0.2
TIMEOUT_S = 30.0
FIRST_RANGE_BYTES = 65536
AGENT = "eyelevel-simulate (a program, not a person)"


def study_address(url: str) -> tuple[str, str]:
    """Returns origin and slug of a participant's link, such as `http://127.0.0.1:8000/s/SLUG`."""
    parts = urlsplit(url)
    slug = parts.path.rstrip("/").rpartition("/")[2]
    if parts.scheme not in ("http", "https") or not parts.netloc or not slug:
        raise BadInputError(
            f"--study is {url!r}, but must be a participant's link such as http://localhost:8000/s/SLUG."
        )
    return f"{parts.scheme}://{parts.netloc}", slug


def browser(origin: str, transport: httpx.BaseTransport | None = None) -> httpx.Client:
    """Returns an HTTP client for a new participant, without cookies."""
    headers = {"User-Agent": AGENT, "Origin": origin}
    return httpx.Client(base_url=origin, headers=headers, timeout=TIMEOUT_S, transport=transport)


class Platform:
    """The API calls of one participant; `repeats` counts repeated requests."""

    def __init__(self, client: httpx.Client, *, token: str, pause: Callable[[float], None] = time.sleep) -> None:
        self._client = client
        self._token = token
        self._pause = pause
        self.repeats = 0

    def get(self, path: str) -> Any:
        return self._send("GET", path).json()

    def begin(self, slug: str, body: Any) -> Any:
        """Begins a session, with the token that simulated participants need."""
        path, headers = f"/api/participate/{slug}/sessions", {"Authorization": f"Bearer {self._token}"}
        return self._send("POST", path, json=body, headers=headers).json()

    def post(self, path: str, body: Any) -> Any:
        return self._send("POST", path, json=body).json()

    def put(self, path: str, body: Any) -> Any:
        """Sends a body; returns the receipt, or None if the response has no content."""
        answer = self._send("PUT", path, json=body)
        return None if answer.status_code == HTTPStatus.NO_CONTENT else answer.json()

    def put_again(self, path: str, body: Any, receipt: Any) -> None:
        """Repeats a request, as a browser does if the receipt was lost; raises RefusedError if the receipt differs."""
        self.repeats += 1
        if (second := self.put(path, body)) != receipt:
            raise RefusedError(f"PUT {path} was repeated and returned another receipt: {second} after {receipt}.")

    def clip(self, url: str, *, size_bytes: int, digest: str) -> bytes:
        """Downloads a video in two ranges; raises RefusedError if it is not the announced one."""
        first = self._send("GET", url, headers={"Range": f"bytes=0-{FIRST_RANGE_BYTES - 1}"})
        data = first.content
        if first.status_code == HTTPStatus.PARTIAL_CONTENT and len(data) < size_bytes:
            data += self._send("GET", url, headers={"Range": f"bytes={len(data)}-"}).content
        # the digest is keyed by the token in the address, so that it does not reveal the clip
        key = url.rpartition("/")[2].encode()
        if len(data) != size_bytes or hmac.digest(key, hashlib.sha256(data).digest(), "sha256").hex() != digest:
            raise RefusedError(
                f"GET {url} returned {len(data)} bytes that are not the clip {digest} of {size_bytes} bytes."
            )
        return data

    def _send(self, method: str, path: str, **options: Any) -> httpx.Response:
        for left in reversed(range(TRIES)):
            wait_s = 0.0
            try:
                answer = self._client.request(method, path, **options)
            except httpx.TransportError as error:
                if not left:
                    raise UnreachableError(f"{method} {self._client.base_url.join(path)} failed: {error}.") from error
            else:
                if answer.is_success:
                    return answer
                if not left or not _may_repeat(answer):
                    raise RefusedError(f"{method} {path} was refused ({answer.status_code}): {_sentence(answer)}")
                # too many sessions begin at the same time; this one has not begun
                wait_s = float(answer.headers.get("Retry-After", 0))
            if method == "POST" and path.endswith("/sessions") and not wait_s:
                # not idempotent: the first request may have created a session
                raise UnreachableError(f"{method} {path} got no response; check the platform, and start again.")
            self.repeats += 1
            self._pause(wait_s or FIRST_PAUSE_S * 2 ** (TRIES - 1 - left))
        raise AssertionError("the last try returns or raises")


def _error(answer: httpx.Response) -> dict[str, object]:
    try:
        error = answer.json()["error"]
    except (ValueError, KeyError, TypeError):
        return {}
    return error if isinstance(error, dict) else {}


def _may_repeat(answer: httpx.Response) -> bool:
    return answer.status_code in (HTTPStatus.BAD_GATEWAY, HTTPStatus.GATEWAY_TIMEOUT) or bool(
        _error(answer).get("retry")
    )


def _sentence(answer: httpx.Response) -> str:
    return str(_error(answer).get("message") or answer.text[:200])
