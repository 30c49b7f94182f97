"""One participant over HTTP: answers, keeps its answers until each has a receipt, and finishes.

This is no copy of the page's outbox but another client of the same promises: it sends in any order, sends twice, gives
up waiting, and repeats under the same id.
"""

import asyncio
import uuid
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import httpx
from bench.faults.ledger import Deed, Ledger
from clip_links import sha256_of

TIMEOUT_S = 5.0
# patience with a platform that is being started again: more than the bench has (chaos.py), which then tells why
PATIENCE_S = 400.0
HELD_BACK, SENT_TWICE, SENT_AGAIN, EARLY_FINISH, STALLED = 0.3, 0.05, 0.05, 0.1, 0.2
# plays that are sent alone; of the others, which travel with their votes, this share is sent alone as well
ALONE, BOTH = 0.3, 0.1
SCREEN = {"width_px": 1440, "height_px": 900, "device_pixel_ratio": 1.0}


class GaveUpError(Exception):
    """A call was refused, or nothing answered it in all that time."""


@dataclass
class Participant:
    """`client` has a cookie jar of its own; `lengths_ms` are those of clips by digest; `pause` waits seconds."""

    client: httpx.AsyncClient
    slug: str
    ledger: Ledger
    lengths_ms: Mapping[str, float]
    draw: Random
    think_s: float
    # how long one call may take
    timeout_s: float = TIMEOUT_S
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep
    session: str = ""
    # plays that were sent in a call of their own
    alone: set[str] = field(default_factory=set)
    # what has no receipt yet: path and body
    waiting: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    async def walk(self) -> None:
        """Go through the whole study; raise GaveUpError where that cannot be done."""
        study = (await self._call("GET", f"/api/participate/{self.slug}")).json()
        begin = {"language": "en", "consent_version": study["consent"]["version"], "screen": SCREEN}
        session = (await self._call("POST", f"/api/participate/{self.slug}/sessions", begin)).json()
        self.session = session["id"]
        self.ledger.began(self.session)
        answers = {question["key"]: question["choices"][0]["key"] for question in study["questions"]}
        await self._call("PUT", "/api/session/person", {"session_id": self.session, "answers": answers})
        for trial in session["trials"]:
            await self.pause(self.draw.uniform(0, 2 * self.think_s))
            self._answer(trial, await self._watch(trial))
            for question in session["controls"]:
                if question["after"] == trial["position"]:
                    self._answer_control(question)
            if self.draw.random() >= HELD_BACK:
                await self._deliver()
        if self.waiting and self.draw.random() < EARLY_FINISH:
            await self._finish_too_early()
        await self._deliver()
        finished = await self._call("POST", "/api/session/finish", {"session_id": self.session, "skipped": []})
        self.ledger.completed(self.session, finished.json()["completion_code"])

    async def _watch(self, trial: dict[str, Any]) -> dict[str, Any] | None:
        """Fetch the film; the play, if it is to travel with the vote."""
        play_id, clip = self._id(), trial["clip"]
        film = await self._call("GET", clip["url"])
        if len(film.content) != clip["bytes"]:
            self.ledger.fault(f"{clip['url']}: {len(film.content)} bytes, but {clip['bytes']} were announced")
        seen = evidence(clip, self.lengths_ms[sha256_of(clip, self.lengths_ms)], self.draw)
        ended_at = datetime.now(UTC)
        started_at = ended_at - timedelta(milliseconds=seen["wall_ms"])
        data = {"replay": False, "evidence": seen}
        self.ledger.did("play", Deed(self.session, trial["position"], data, id=play_id))
        times = {"started_at": started_at.isoformat(), "ended_at": ended_at.isoformat()}
        alone = self.draw.random() < ALONE
        if alone or self.draw.random() < BOTH:
            self.alone.add(play_id)
            self._send(f"plays/{play_id}", {"position": trial["position"]} | times | data)
        return None if alone else {"id": play_id} | times | data

    def _answer(self, trial: dict[str, Any], play: dict[str, Any] | None) -> None:
        vote_id, data, clip = self._id(), self._data(trial["kind"]), trial["clip"]
        shown = sha256_of(clip, self.lengths_ms)
        self.ledger.did("vote", Deed(self.session, trial["position"], data, shown, vote_id))
        vote = {name: trial[name] for name in ("position", "kind", "kind_version")}
        vote |= {
            "clip_digest": clip["digest"],
            "data": data,
            "layout": "row",
            "replays": 0,
            "answer_ms": 1000.0,
            "play": play,
        }
        self._send(f"votes/{vote_id}", vote | {"answered_at": datetime.now(UTC).isoformat()})

    def _answer_control(self, question: dict[str, Any]) -> None:
        data = {"choice": self.draw.choice(question["choices"])["key"]}
        self.ledger.did("control", Deed(self.session, question["key"], data))
        self._send(f"controls/{question['key']}", data)

    def _send(self, path: str, body: dict[str, Any]) -> None:
        self.waiting.append((f"/api/session/{path}", {"session_id": self.session} | body))

    def _data(self, kind: str) -> dict[str, Any]:
        if kind == "rate":
            return {"score": self.draw.randint(1, 7)}
        return {"choice": self.draw.choice(["left", "right", "none"]), "sureness": self.draw.randint(1, 5)}

    async def _deliver(self) -> None:
        """Send all that waits, in any order, until each has its receipt."""
        self.draw.shuffle(self.waiting)
        while self.waiting:
            path, body = self.waiting[-1]
            times = 2 if self.draw.random() < SENT_TWICE else 1
            answers = await asyncio.gather(*(self._call("PUT", path, body) for _ in range(times)))
            if self.draw.random() < SENT_AGAIN:
                answers.append(await self._call("PUT", path, body))
            for answer in answers:
                # the answer to a control question has no id, and gets no receipt
                if answer.status_code != httpx.codes.NO_CONTENT:
                    self._note(path, body, answer.json())
            self.waiting.pop()

    def _note(self, path: str, body: dict[str, Any], receipt: dict[str, Any]) -> None:
        asked, play = path.rpartition("/")[2], body.get("play")
        if receipt["id"] != asked:
            self.ledger.fault(f"{path} got the receipt of {receipt['id']}")
        self.ledger.received("vote" if "/votes/" in path else "play", asked, receipt["received_at"])
        # the receipt of the vote is that of its play too, unless that has its own
        if play is not None and play["id"] not in self.alone:
            self.ledger.received("play", play["id"], receipt["received_at"])

    async def _finish_too_early(self) -> None:
        lacking = [path for path, _ in self.waiting if "/plays/" not in path]
        body = {"session_id": self.session, "skipped": []}
        answer = await self._call("POST", "/api/session/finish", body, allowed=(409,))
        if lacking and answer.status_code != httpx.codes.CONFLICT:
            self.ledger.fault(f"session {self.session} got its code while {', '.join(lacking)} were missing")

    async def _call(
        self, method: str, path: str, body: dict[str, Any] | None = None, *, allowed: tuple[int, ...] = ()
    ) -> httpx.Response:
        loop = asyncio.get_running_loop()
        end = loop.time() + PATIENCE_S
        pause_s = 0.1
        while True:
            try:
                answer = await self.client.request(method, path, json=body, timeout=self.timeout_s)
            except httpx.TransportError:
                answer = None
            if answer is not None:
                if answer.status_code < 300 or answer.status_code in allowed:
                    return answer
                if not _may_repeat(answer):
                    raise GaveUpError(f"{method} {path}: {answer.status_code} {answer.text[:200]}")
                pause_s = max(pause_s, float(answer.headers.get("Retry-After", 0)))
            if loop.time() > end:
                raise GaveUpError(f"{method} {path}: no answer in {PATIENCE_S:.0f} s")
            await self.pause(pause_s * self.draw.uniform(0.5, 1))
            pause_s = min(2 * pause_s, 3.0)

    def _id(self) -> str:
        return str(uuid.UUID(int=self.draw.getrandbits(128), version=4))


def evidence(clip: dict[str, Any], media_ms: float, draw: Random) -> dict[str, Any]:
    """What a browser could say of a film that it showed to its end, as play-evidence.1 wants it."""
    stalls = [{"at_ms": 500.0, "ms": round(draw.uniform(100, 150), 1)}] if draw.random() < STALLED else []
    wall_ms = media_ms + sum(stall["ms"] for stall in stalls)
    window = {name: SCREEN[name] for name in ("width_px", "height_px")}
    return {
        "version": 1,
        "media_ms": media_ms,
        "wall_ms": round(wall_ms, 1),
        "off_speed_ms": round(draw.uniform(0, 10), 1),
        "off_speed": bool(stalls),
        "frames_presented": int(media_ms * clip["frame_rate"] / 1000),
        "frames_dropped": draw.randint(0, 3),
        "stalls": stalls,
        "hidden": [],
        "unfocused": [],
        "pauses": [],
        "window": window,
        "screen": window,
        "device_pixel_ratio": 1.0,
        "zoom": 1.0,
        "shown": {"width_px": clip["width_px"], "height_px": clip["height_px"], "scale": 1.0, "device_scale": 1.0},
        "refresh_hz": 60.0,
        "frame_callback": True,
        "complete": True,
    }


def _may_repeat(answer: httpx.Response) -> bool:
    try:
        return bool(answer.json()["error"]["retry"])
    except (ValueError, KeyError, TypeError):
        # not our platform's form: something between us
        return True
