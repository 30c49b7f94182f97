"""A participant of a study, with the calls of its pages, at the pace of somebody who watches and thinks."""

import asyncio
import re
import time
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from bench.faults.participant import SCREEN, evidence
from bench.load.caller import Caller, FailedError, Names

NAMES: Names = (
    (r"GET /s/", "page"),
    (r"GET /assets/", "asset"),
    (r"GET /api/session", "find session"),
    (r"GET /api/participate/", "invitation"),
    (r"POST /api/participate/.+/sessions", "begin"),
    (r"PUT /api/session/person", "person"),
    (r"GET /clips/", "clip"),
    (r"PUT /api/session/plays/", "play"),
    (r"PUT /api/session/votes/", "vote"),
    (r"PUT /api/session/controls/", "control"),
    (r"POST /api/session/finish", "finish"),
)
SAVING = "vote"
ASSET = re.compile(r'(?:src|href)="(/assets/[^"]+)"')


@dataclass
class Person:
    """`lengths_ms` are those of clips by their bytes; `think_s` and `watch` say how much of the time a person takes."""

    caller: Caller
    slug: str
    lengths_ms: dict[int, float]
    draw: Random
    think_s: float
    # whether clips are watched at their own pace
    watch: bool
    # whether the pages themselves are fetched too, and not only what they call
    pages: bool
    # whether the play that ends a trial travels with its vote
    joined: bool
    began: float

    async def walk(self) -> None:
        call = self.caller.call
        if self.pages:
            page = await call("GET", f"/s/{self.slug}")
            for asset in ASSET.findall(page.text):
                await call("GET", asset)
            await call("GET", f"/api/session?slug={self.slug}", allowed=(401,))
        study = (await call("GET", f"/api/participate/{self.slug}")).json()
        await self._think()
        begin = {"language": "en", "consent_version": study["consent"]["version"], "screen": SCREEN}
        session = (await call("POST", f"/api/participate/{self.slug}/sessions", body=begin)).json()
        self.caller.notes.begun_s.append(time.monotonic() - self.began)
        identified = {"session_id": session["id"]}
        answers = {question["key"]: question["choices"][0]["key"] for question in study["questions"]}
        await self._think()
        await call("PUT", "/api/session/person", body=identified | {"answers": answers})
        for trial in session["trials"]:
            await self._trial(identified, trial)
            for question in session["controls"]:
                if question["after"] == trial["position"]:
                    await self._think()
                    choice = {"choice": self.draw.choice(question["choices"])["key"]}
                    await call("PUT", f"/api/session/controls/{question['key']}", body=identified | choice)
        finished = (await call("POST", "/api/session/finish", body=identified | {"skipped": []})).json()
        if not finished["completion_code"]:
            raise FailedError("finish: no code")
        self.caller.notes.finished += 1

    async def _trial(self, identified: dict[str, str], trial: dict[str, Any]) -> None:
        clip = trial["clip"]
        film = await self.caller.call("GET", clip["url"])
        if len(film.content) != clip["bytes"]:
            raise FailedError(f"clip: {len(film.content)} bytes, but {clip['bytes']} were announced")
        length_ms = self.lengths_ms[clip["bytes"]]
        started_at = datetime.now(UTC)
        if self.watch:
            await asyncio.sleep(length_ms / 1000)
        seen = evidence(clip, length_ms, self.draw)
        ended_at = started_at + timedelta(milliseconds=seen["wall_ms"])
        play = {"started_at": started_at.isoformat(), "ended_at": ended_at.isoformat(), "replay": False}
        play["evidence"] = seen
        play_id, vote_id = self._id(), self._id()
        if not self.joined:
            await self.caller.call(
                "PUT", f"/api/session/plays/{play_id}", body=identified | {"position": trial["position"]} | play
            )
        thought_s = await self._think()
        vote = {name: trial[name] for name in ("position", "kind", "kind_version")}
        vote |= {"clip_digest": clip["digest"], "data": self._data(trial), "layout": "row", "replays": 0}
        vote |= {"answer_ms": round(1000 * thought_s, 1), "media_ms": length_ms, "away": []}
        vote |= {"answered_at": datetime.now(UTC).isoformat()}
        if self.joined:
            vote["play"] = {"id": play_id} | play
        receipt = (await self.caller.call("PUT", f"/api/session/votes/{vote_id}", body=identified | vote)).json()
        if receipt["id"] != vote_id:
            raise FailedError(f"vote: the receipt of {receipt['id']} for {vote_id}")
        self.caller.notes.saved.append(vote_id)

    async def _think(self) -> float:
        seconds = self.think_s * self.draw.uniform(0.5, 1.5)
        await asyncio.sleep(seconds)
        return seconds

    def _data(self, trial: dict[str, Any]) -> dict[str, Any]:
        if trial["kind"] == "rate":
            return {"score": self.draw.randint(1, 7)}
        return {"choice": self.draw.choice(["left", "right", "none"]), "sureness": self.draw.randint(1, 5)}

    def _id(self) -> str:
        return str(uuid.UUID(int=self.draw.getrandbits(128), version=4))
