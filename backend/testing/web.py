"""Calls the API as a browser or a program does."""

import json
import uuid
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from django.test import Client

from accounts.models import ApiToken, Role, Scope, User
from testing.studies import EVIDENCE, PASSWORD

JSON = "application/json"
SCREEN = {"width_px": 1280, "height_px": 720, "device_pixel_ratio": 2}


class Browser(Client):
    """A browser whose page holds this session."""

    session_id: str | None = None


def stranger() -> Client:
    return Client()


def signed_in(name: str, role: Role) -> Client:
    """A browser in which this new person has signed in."""
    User.objects.create_account(name, PASSWORD, role)
    client = Client()
    client.login(username=name, password=PASSWORD)
    return client


def set_by(link: str, password: str) -> int:
    """Set a password by a one-time link, as its page does; return the status."""
    body = dict(parse_qsl(urlsplit(link).fragment)) | {"new": password}
    return int(post(Client(), "/api/auth/reset", body).status_code)


def with_token(scope: Scope) -> Client:
    """A program with a token of this scope."""
    owner = User.objects.create_account(f"owner of {scope}", PASSWORD, Role.ADMIN)
    return Client(headers={"Authorization": f"Bearer {ApiToken.issue(user=owner, name='test', scope=scope)}"})


def post(client: Client, path: str, value: Any) -> Any:
    return client.post(path, json.dumps(_from_page(client, path, value)), content_type=JSON)


def put(client: Client, path: str, value: Any) -> Any:
    return client.put(path, json.dumps(_from_page(client, path, value)), content_type=JSON)


def _from_page(client: Client, path: str, value: Any) -> Any:
    """The body as the page sends it, with the session's id where the path belongs to a session."""
    if isinstance(client, Browser) and client.session_id is not None and path.startswith("/api/session/"):
        return {"session_id": client.session_id} | value
    return value


def participant(slug: str, client: Browser | None = None) -> tuple[Browser, dict[str, Any]]:
    """A browser that has begun a session, and the session."""
    client = client or Browser()
    body = {"language": "en", "consent_version": "1", "screen": SCREEN}
    response = post(client, f"/api/participate/{slug}/sessions", body)
    if response.status_code not in (200, 201):
        raise AssertionError(response.content)
    session: dict[str, Any] = response.json()
    client.session_id = session["id"]
    return client, session


def vote_body(trial: dict[str, Any], **changes: Any) -> dict[str, Any]:
    data = {"score": 4} if trial["kind"] == "rate" else {"choice": "left", "sureness": 3}
    return {
        "position": trial["position"],
        "clip_digest": trial["clip"]["digest"],
        "kind": trial["kind"],
        "kind_version": trial["kind_version"],
        "data": data,
        "layout": "row",
        "replays": 1,
        "answer_ms": 1234.5,
        "media_ms": 3550.0,
        "away": [],
        "answered_at": "2026-01-01T12:00:00.000Z",
    } | changes


def answer(client: Client, trial: dict[str, Any], **changes: Any) -> Any:
    """Vote in this trial under a new id."""
    return put(client, f"/api/session/votes/{uuid.uuid4()}", vote_body(trial, **changes))


def error_code(response: Any) -> tuple[int, str]:
    return response.status_code, response.json()["error"]["code"]


def play_body(trial: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {
        "position": trial["position"],
        "started_at": "2026-01-01T12:00:00.000Z",
        "ended_at": "2026-01-01T12:00:01.000Z",
        "replay": False,
        "evidence": EVIDENCE,
    } | changes
