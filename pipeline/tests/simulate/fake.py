"""A platform in memory that keeps the promises of docs/contracts/api.md, and breaks them on request."""

import hashlib
import hmac
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx

CLIP = bytes(range(256)) * 600  # more than one range
TEXT = {"en": "text"}
TOKEN = "evl_a-token-of-scope-studies"


def digest(position: int) -> str:
    """Of CLIP in this trial."""
    return hmac.digest(f"t{position}".encode(), hashlib.sha256(CLIP).digest(), "sha256").hex()


def trial(position: int, kind: str, *, answer_from: str = "end", training: bool = False) -> dict[str, Any]:
    params: dict[str, Any] = (
        {"question": TEXT, "min_width_px": 1024} if kind == "compare" else {"question": TEXT, "labels": [TEXT] * 7}
    )
    clip = {"url": f"/clips/t{position}", "bytes": len(CLIP), "digest": digest(position)}
    clip |= {"width_px": 640, "height_px": 360}
    return {
        "answer_from": answer_from,
        "position": position,
        "kind": kind,
        "kind_version": 2,
        "context": {"key": "work", "label": TEXT},
        "clip": clip | {"start_ms": 1000.0, "frame_rate": 30.0},
        "params": params,
        "training": training,
    }


@dataclass
class FakePlatform:
    """`disturb` sees every request first and may answer in the platform's place."""

    state: str = "open"
    kinds: tuple[str, ...] = ("rate", "compare", "rate")
    # of the first trials
    training: int = 0
    answer_from: str = "end"
    # control questions, and what each session chose
    controls: list[dict[str, Any]] = field(default_factory=list)
    controlled: list[dict[str, str]] = field(default_factory=list)
    # what was asked in which order: "trial 1", "control attention"
    order: list[str] = field(default_factory=list)
    clip: bytes = CLIP
    ranges: bool = True
    narrow_window: str = "skip"
    # parameters of every trial, beside its own
    params: dict[str, Any] = field(default_factory=dict)
    disturb: Callable[[httpx.Request], httpx.Response | None] = lambda _: None
    sessions: list[dict[str, Any]] = field(default_factory=list)
    votes: dict[str, dict[str, Any]] = field(default_factory=dict)
    plays: dict[str, dict[str, Any]] = field(default_factory=dict)
    # sessions that said something about the person
    answered_about: set[str] = field(default_factory=set)
    agents: set[str] = field(default_factory=set)
    finished: int = 0
    # as in the public page, and the code at the end
    recruiter: dict[str, str] | None = None
    recruiter_code: str | None = None

    def transport(self) -> httpx.MockTransport:
        return httpx.MockTransport(self._answer)

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.agents.add(request.headers["user-agent"])
        return self.disturb(request) or self._route(request, request.method, request.url.path)

    def _route(self, request: httpx.Request, method: str, path: str) -> httpx.Response:
        if path == "/api/participate/abc":
            return httpx.Response(200, json=self._study())
        if (method, path) == ("POST", "/api/participate/abc/sessions"):
            if request.headers.get("authorization") != f"Bearer {TOKEN}":
                return error(401, "token_needed", "A simulated session needs a valid API token.")
            return self._enter(json.loads(request.content))
        # the token goes nowhere else
        assert "authorization" not in request.headers
        if "eyelevel_session=" not in request.headers.get("cookie", ""):
            return error(401, "no_session", "There is no session; begin at the study's link.")
        return self._in_session(request, method, path)

    def _study(self) -> dict[str, Any]:
        choices = [{"key": "young", "label": TEXT}, {"key": "old", "label": TEXT}]
        questions = [{"key": "age", "required": True, "label": TEXT, "choices": choices}]
        consent = {"version": "1", "text": TEXT}
        return {
            "state": self.state,
            "languages": ["en", "de"],
            "consent": consent,
            "questions": questions,
            "recruiter": self.recruiter,
        }

    def _enter(self, body: dict[str, Any]) -> httpx.Response:
        self.sessions.append(body)
        self.controlled.append({})
        trials = [
            trial(number, kind, answer_from=self.answer_from, training=number <= self.training)
            for number, kind in enumerate(self.kinds, 1)
        ]
        for shown in trials:
            shown["params"] |= self.params
        cookie = f"eyelevel_session=s{len(self.sessions)}; HttpOnly; SameSite=Strict; Path=/"
        session: dict[str, Any] = {"id": f"id of s{len(self.sessions)}", "state": "started", "trials": trials}
        session |= {"study": {"narrow_window": self.narrow_window}}
        session |= {"language": body["language"], "controls": self.controls, "controls_answered": []}
        return httpx.Response(201, json=session, headers={"set-cookie": cookie})

    def _in_session(self, request: httpx.Request, method: str, path: str) -> httpx.Response:
        if path.startswith("/clips/"):
            return self._clip(request)
        cookie = request.headers["cookie"].partition("eyelevel_session=")[2]
        if json.loads(request.content).get("session_id") != f"id of {cookie}":
            return error(409, "other_session", "This browser has begun another session since.")
        if path == "/api/session/person":
            self.answered_about.add(cookie)
            return httpx.Response(204)
        if found := re.fullmatch(r"/api/session/(votes|plays)/([0-9a-f-]{36})", path):
            rows, body = self.votes if found[1] == "votes" else self.plays, json.loads(request.content)
            if found[1] == "votes":
                self.order.append(f"trial {body['position']}")
                play = body.pop("play")
                self.plays[play.pop("id")] = {name: body[name] for name in ("session_id", "position")} | play
            return self._store(rows, found[2], body)
        if found := re.fullmatch(r"/api/session/controls/([a-z]+)", path):
            self.order.append(f"control {found[1]}")
            self.controlled[-1][found[1]] = json.loads(request.content)["choice"]
            return httpx.Response(204)
        assert (method, path) == ("POST", "/api/session/finish")
        return self._finish(cookie, json.loads(request.content)["skipped"])

    def _finish(self, cookie: str, skipped: list[int]) -> httpx.Response:
        self.finished += 1
        missing = set(range(1, len(self.kinds) + 1)) - {vote["position"] for vote in self.votes.values()} - set(skipped)
        if missing:
            return error(409, "votes_missing", f"Votes are missing at {missing}.")
        if cookie not in self.answered_about:
            return error(409, "person_missing", "The questions about the person age have no answer yet.")
        back = None if self.recruiter is None else {"code": self.recruiter_code or "CODE"}
        return httpx.Response(200, json={"completion_code": "CODE", "back": back})

    def _clip(self, request: httpx.Request) -> httpx.Response:
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", request.headers.get("range", ""))
        if not asked or not self.ranges:
            return httpx.Response(200, content=self.clip)
        return httpx.Response(206, content=self.clip[int(asked[1]) : int(asked[2]) + 1 if asked[2] else None])

    def _store(self, rows: dict[str, dict[str, Any]], key: str, body: dict[str, Any]) -> httpx.Response:
        rows.setdefault(key, body)
        return httpx.Response(
            200, json={"id": key, "position": rows[key]["position"], "received_at": "2026-01-01T00:00:00Z"}
        )


def error(status: int, code: str, message: str, *, retry: bool = False) -> httpx.Response:
    return httpx.Response(status, json={"error": {"code": code, "message": message, "retry": retry, "details": {}}})
