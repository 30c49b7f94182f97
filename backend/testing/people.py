"""A study with all conformance rules, and participants who take part over HTTP."""

import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol

from django.db.models import F
from django.utils import timezone

from conformance.models import Verdict
from ratings.models import Play, Session, Trial
from stimuli.models import Clip
from studies.models import Study
from testing import studies
from testing.web import SCREEN

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
TEXT = {"en": "What did you see?", "de": "Was haben Sie gesehen?"}
QUESTION = {
    "key": "attention",
    "label": TEXT,
    "choices": [
        {"key": "websites", "label": {"en": "websites", "de": "Websites"}},
        {"key": "animals", "label": {"en": "animals", "de": "Tiere"}},
    ],
    "right": "websites",
    "after": 2,
}
RULES: dict[str, Any] = {
    "version": 3,
    "R1": {"use": True, "pay": False},
    "R2": {"use": True, "pay": True, "stall_ms": 500},
    "R3": {"use": True, "pay": True, "away_ms": 10_000},
    "R4": {"use": True, "pay": True, "tolerance_ms": 0},
    "R5": {"use": True, "pay": True},
    "R6": {"use": True, "pay": False, "wrong_at_most": 0},
    "R7": {"use": True, "pay": False, "wrong_at_most": 0},
    "R8": {"use": True, "pay": True},
    "R9": {"use": True, "pay": False},
}
# every session counts and is paid, whatever it contains
COUNTED_ONLY = {
    rule: value | {"use": False, "pay": True} if rule != "version" else value for rule, value in RULES.items()
}
# as the clips are made below: 5 s long, still for a second, delayed only in the control
DURATION_MS, START_MS, HELD_BACK_MS = 5000.0, 1000.0, [0.0, 6000.0]
RATE, COMPARE = 4, 2
CONTROL = RATE + 1


# changes to a session that make it a preview
AS_PREVIEW = {"origin": "preview", "number": None, "preview": {"person": False, "answered": {}, "controls": []}}


def design(**changes: Any) -> dict[str, Any]:
    written_out = {"training": 0, "repeats": 0, "clips": "random"}
    defaults = {
        "trials": [
            {"kind": "rate", "count": RATE, "answer_from": "start"} | written_out,
            {"kind": "compare", "count": COMPARE, "answer_from": "end", "identical": 0} | written_out,
        ],
        "quota": {"sessions": 40},
        "groups": [{"key": "laboratory", "quota": {"sessions": 40}}],
        "session": {"resume": "resume", "resume_within_minutes": 60, "lease_minutes": 30, "time_limit_minutes": 90},
        "controls": {"videos": {"count": 0, "max_score": 3}, "questions": [QUESTION]},
        "conformance": RULES,
    }
    return studies.design(**(defaults | changes))


def published(**changes: Any) -> Study:
    """Publish the study; every clip is still for START_MS, and the right side of every pair is delayed."""
    studies.visible_batch()
    study = studies.study(**design(**changes))
    Clip.objects.update(duration_ms=DURATION_MS, start_ms=START_MS)
    Clip.objects.filter(kind="pair").update(delays_ms=HELD_BACK_MS)
    return study


class Caller(Protocol):
    """Sends one request and returns status and JSON."""

    def __call__(self, method: str, path: str, body: Any = None) -> tuple[int, Any]: ...


@dataclass
class Person:
    """A participant at a browser, without faults except those in the fields, by position.

    `plays`: changes to the evidence of the play, None for no play at all. `votes`: changes to the body of the vote.
    `took`: time from consent to finish. `watched`: time from a clip's first byte to its vote, None for a clip that was
    never sent. The session takes only a moment, so the server's times are set back.
    """

    call: Caller
    plays: dict[int, dict[str, Any] | None] = field(default_factory=dict)
    votes: dict[int, dict[str, Any]] = field(default_factory=dict)
    choice: str = "websites"
    took: timedelta = timedelta(minutes=2)
    watched: dict[int, timedelta | None] = field(default_factory=dict)

    def begin(self, slug: str) -> dict[str, Any]:
        body = {"language": "en", "consent_version": "1", "screen": SCREEN}
        session: dict[str, Any] = self.ok("POST", f"/api/participate/{slug}/sessions", body)
        # the platform plans controls only for batches that have such clips; this one has none
        Trial.objects.filter(session=session["id"], position=CONTROL).update(role="control")
        Session.objects.filter(pk=session["id"]).update(started_at=F("started_at") - self.took)
        self.mine = {"session_id": session["id"]}
        self.ok("PUT", "/api/session/person", self.mine | {"answers": {"age": "old"}})
        return session

    def answer(self, trial: dict[str, Any]) -> None:
        at = trial["position"]
        changes = self.plays.get(at, {})
        if changes is not None:
            self.played(at, play(at, changes))
        self.sent(at)
        self.ok("PUT", f"/api/session/votes/{uuid.uuid4()}", self.mine | vote(trial, self.votes.get(at, {})))

    def sent(self, position: int) -> None:
        """Record that the clip was sent; without blobs, the platform does not send it."""
        watched = self.watched.get(position, timedelta(seconds=10))
        sent_at = None if watched is None else timezone.now() - watched
        Trial.objects.filter(session=self.mine["session_id"], position=position).update(clip_sent_at=sent_at)

    def played(self, position: int, body: dict[str, Any]) -> None:
        """Send the play; store one without evidence directly, as earlier versions accepted it."""
        if body["evidence"] is not None:
            self.ok("PUT", f"/api/session/plays/{uuid.uuid4()}", self.mine | body)
            return
        trial = Trial.objects.get(session=self.mine["session_id"], position=position)
        older = {key: body[key] for key in ("started_at", "ended_at", "replay", "evidence")}
        Play.objects.create(id=uuid.uuid4(), trial=trial, **older)

    def walk(self, slug: str) -> Session:
        session = self.begin(slug)
        for trial in session["trials"]:
            for control in session["controls"]:
                if control["after"] == trial["position"] - 1:
                    self.ok("PUT", f"/api/session/controls/{control['key']}", self.mine | {"choice": self.choice})
            self.answer(trial)
        self.ok("POST", "/api/session/finish", self.mine | {"skipped": []})
        return Session.objects.get(pk=session["id"])

    def ok(self, method: str, path: str, body: Any) -> Any:
        status, answer = self.call(method, path, body)
        if status not in (200, 201, 204):
            raise AssertionError(f"{method} {path} gave {status}: {answer}")
        return answer


def play(position: int, changes: dict[str, Any]) -> dict[str, Any]:
    """A complete play in a visible page; `changes` replaces parts of its evidence, its key `evidence` all of it."""
    size = {"width_px": 1280, "height_px": 720}
    evidence = {
        "version": 1,
        "media_ms": DURATION_MS,
        "wall_ms": DURATION_MS,
        "off_speed_ms": 3.0,
        "off_speed": False,
        "frames_presented": 150,
        "frames_dropped": 0,
        "stalls": [],
        "hidden": [],
        "unfocused": [],
        "pauses": [],
        "window": size,
        "screen": size,
        "device_pixel_ratio": 1.0,
        "zoom": 1.0,
        "shown": size | {"scale": 1.0, "device_scale": 1.0},
        "refresh_hz": 60.0,
        "frame_callback": True,
        "complete": True,
    }
    at = moment(position)
    return {
        "position": position,
        "started_at": at.isoformat(),
        "ended_at": (at + timedelta(seconds=5)).isoformat(),
        "replay": False,
        "evidence": changes.get("evidence", evidence | changes),
    }


def vote(trial: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """A vote two seconds after the end of the play; in a comparison for the left side, which is not delayed."""
    data = {"score": 4} if trial["kind"] == "rate" else {"choice": "left", "sureness": 3}
    return {
        "position": trial["position"],
        "clip_digest": trial["clip"]["digest"],
        "kind": trial["kind"],
        "kind_version": trial["kind_version"],
        "data": data,
        "layout": "row",
        "replays": 0,
        "answer_ms": 2000.0,
        "media_ms": 5000.0,
        "away": [],
        "answered_at": (moment(trial["position"]) + timedelta(seconds=7)).isoformat(),
    } | changes


def moment(position: int) -> datetime:
    """When the trial at this position is shown."""
    return NOON + timedelta(minutes=position)


def findings_of(verdict: Verdict) -> list[dict[str, Any]]:
    findings: list[dict[str, Any]] | None = verdict.findings
    if findings is None:
        raise AssertionError("the verdict was erased")
    return findings
