"""Begins a session by API calls alone: the browser has the cookie and has loaded no page."""

import uuid
from datetime import UTC, datetime
from typing import Any

from playwright.sync_api import APIResponse, BrowserContext

SCREEN = {"width_px": 1440, "height_px": 900, "device_pixel_ratio": 1}


def begin(context: BrowserContext, link: str, **more: Any) -> dict[str, Any]:
    """Agree, answer the questions about the person and rate the first film; the session as it was when it began."""
    origin, _, slug = link.partition("/s/")
    calls = context.request
    study = _told(calls.get(f"{origin}/api/participate/{slug}"))
    body = {"language": "en", "consent_version": study["consent"]["version"], "screen": SCREEN} | more
    session: dict[str, Any] = _told(calls.post(f"{origin}/api/participate/{slug}/sessions", data=body))
    mine = {"session_id": session["id"]}
    answers = {question["key"]: question["choices"][0]["key"] for question in study["questions"]}
    _check(calls.put(f"{origin}/api/session/person", data=mine | {"answers": answers}))
    trial = session["trials"][0]
    vote = {name: trial[name] for name in ("position", "kind", "kind_version")}
    vote |= {"clip_digest": trial["clip"]["digest"], "data": {"score": 4}, "replays": 0, "answer_ms": 900.0}
    vote |= {"layout": "row", "answered_at": datetime.now(UTC).isoformat()}
    _check(calls.put(f"{origin}/api/session/votes/{uuid.uuid4()}", data=mine | vote))
    return session


def _told(answer: APIResponse) -> Any:
    _check(answer)
    return answer.json()


def _check(answer: APIResponse) -> None:
    assert answer.ok, f"{answer.url}: {answer.status} {answer.text()}"
