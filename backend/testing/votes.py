"""A study with two clips and a pair, and votes written directly to the database."""

import itertools
import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from accounts.models import Role, User
from conformance.models import Verdict
from eyelevel_core.model.metrics import complete
from eyelevel_core.study.frozen import CONTRACT
from eyelevel_core.study.resolve import resolve
from eyelevel_kinds import KINDS
from eyelevel_stats.conformance import RULES
from ratings.models import Exclusion, Participant, PersonAnswers, Play, Session, SessionState, Trial, Vote
from stimuli.models import Batch, Clip, ClipKind, Take
from studies.models import Fielding, Slot, Stimulus, Study, forget_designs
from testing.studies import DESIGN, EVIDENCE

BEGIN = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
KEPT_ALL = [{"rule": rule, "broken": "no", "reason": "", "trials": [], "unknown": 0} for rule in RULES]
FROZEN = {
    "contract": CONTRACT,
    "study": resolve(DESIGN),
    "kinds": {name: kind.version for name, kind in KINDS.items()},
    "stimuli": [{"block": block, "duration_ms": 4000} for block in range(len(DESIGN["trials"]))],
}


def sha(number: int) -> str:
    return f"{number:064x}"


@dataclass
class Field:
    """A study of the first researcher, and its clips.

    `rate`, `compare` and `place` store a vote, by a new session by default.
    """

    number: int = 1
    study: Study = field(init=False)
    fielding: Fielding = field(init=False)
    stimuli: dict[str, Stimulus] = field(init=False)

    def __post_init__(self) -> None:
        # the studies of other tests have the same digests
        forget_designs()
        self._moments = itertools.count()
        batch = Batch.objects.create(sha256=sha(self.number), campaign="demo", manifest_text="{}")
        self.study = Study.objects.create(
            sha256=sha(100 + self.number),
            name="demo",
            frozen_text=json.dumps(FROZEN),
            batch=batch,
            published_by=User.objects.filter(role=Role.RESEARCHER).order_by("pk").first(),
        )
        self.fielding = Fielding.objects.create(study=self.study, quota_sessions=1000)
        fast = self._take(batch, 1, "QUIC", si_ms=800.0)
        slow = self._take(batch, 2, "TCP+", si_ms=1600.5)
        self.stimuli = {
            "QUIC": self._stimulus(batch, 0, "rate", fast, None),
            "TCP+": self._stimulus(batch, 1, "rate", slow, None),
            "pair": self._stimulus(batch, 2, "compare", slow, fast),
            "alike": self._stimulus(batch, 3, "compare", fast, fast, role="identical"),
            "slider": self._stimulus(batch, 4, "slider", fast, None),
        }

    def _take(self, batch: Batch, number: int, stack: str, *, si_ms: float) -> Take:
        return Take.objects.create(
            batch=batch,
            digest=sha(number),
            path=f"takes/{number}",
            site="garden",
            network="DSL",
            stack=stack,
            run=1,
            outcome="settled",
            metrics=complete({"fvc_ms": si_ms / 2, "si_ms": si_ms, "vc85_ms": si_ms * 2, "lvc_ms": si_ms * 3}),
        )

    def _stimulus(
        self, batch: Batch, number: int, kind: str, take: Take, right_take: Take | None, *, role: str = "main"
    ) -> Stimulus:
        clip = Clip.objects.create(
            batch=batch,
            sha256=sha(200 + number),
            kind=ClipKind.PAIR if right_take else ClipKind.SINGLE,
            site="garden",
            network="DSL",
            run=1,
            take=take,
            right_take=right_take,
            bytes=1,
            width_px=640,
            height_px=360,
            duration_ms=1000,
            frame_rate=30,
        )
        return Stimulus.objects.create(
            study=self.study, number=number, block=0, kind=kind, role=role, context="work", clip=clip
        )

    def session(
        self,
        *,
        answers: dict[str, str] | None = None,
        identity: UUID | None = None,
        judged: bool = True,
        origin: str = "person",
    ) -> Session:
        """By default complete, accepted and used; the votes of a session that is not judged do not count."""
        number = self.fielding.sessions.count() + 1
        session = Session.objects.create(
            id=identity or uuid4(),
            participant=Participant.objects.create(),
            fielding=self.fielding,
            number=number,
            origin=origin,
            token_sha256=uuid4().hex,
            language="en",
            consent_version="1",
            screen_width_px=1440,
            screen_height_px=900,
            device_pixel_ratio=1.0,
            started_at=BEGIN,
            lease_until=BEGIN,
        )
        if judged:
            session.state, session.completed_at = SessionState.COMPLETED, BEGIN + timedelta(minutes=10)
            session.save()
            Verdict.objects.create(session=session, version=1, accepted=True, used=True, findings=KEPT_ALL)
        if answers is not None:
            PersonAnswers.objects.create(session=session, answers=answers)
        return session

    def rate(self, stack: str, score: int, *, by: Session | None = None, **role: Any) -> Vote:
        return self._vote(stack, {"score": score}, by, **role)

    def compare(self, choice: str, *, by: Session | None = None, which: str = "pair", **role: Any) -> Vote:
        return self._vote(which, {"choice": choice, "sureness": 4}, by, **role)

    def place(self, value: float, *, by: Session | None = None, **role: Any) -> Vote:
        return self._vote("slider", {"value": value}, by, **role)

    def _vote(
        self,
        which: str,
        data: dict[str, Any],
        by: Session | None,
        *,
        role: str = "main",
        repeats: int | None = None,
        away: list[dict[str, float]] | None = None,
        layout: str = "row",
    ) -> Vote:
        session, stimulus = by or self.session(), self.stimuli[which]
        position = session.trials.count() + 1
        trial = Trial.objects.create(
            session=session,
            position=position,
            stimulus=stimulus,
            kind=stimulus.kind,
            kind_version=KINDS[stimulus.kind].version,
            role=role,
            repeats_position=repeats,
            # a session without slots is beyond the quota
            slot=Slot.objects.create(fielding=self.fielding, stimulus=stimulus, state="assigned"),
        )
        moment = BEGIN + timedelta(minutes=next(self._moments))
        return Vote.objects.create(
            id=uuid4(),
            trial=trial,
            session=session,
            study=self.study,
            clip_sha256=stimulus.clip.sha256,
            stacks=stimulus.clip.stacks,
            context=stimulus.context,
            position=position,
            kind=stimulus.kind,
            kind_version=KINDS[stimulus.kind].version,
            data=data,
            layout=layout,
            role=role,
            previous_clip_sha256=sha(7) if position > 1 else None,
            media_ms=1500.5,
            away=away,
            replays=1,
            answer_ms=1234.5,
            answered_at=moment,
            received_at=moment,
        )

    def play(self, trial: Trial, *, replay: bool = False, **evidence: Any) -> Play:
        """A play without faults except those in `evidence`."""
        reported = EVIDENCE | evidence
        moment = BEGIN + timedelta(minutes=next(self._moments))
        return Play.objects.create(
            id=uuid4(),
            trial=trial,
            started_at=moment,
            ended_at=moment + timedelta(seconds=4),
            replay=replay,
            frames_presented=reported["frames_presented"],
            frames_dropped=reported["frames_dropped"],
            evidence=reported,
            received_at=moment + timedelta(seconds=5),
        )

    def exclude(self, session: Session, rule: str = "R5") -> Exclusion:
        return Exclusion.objects.create(session=session, rule=rule)
