"""Studies, accounts, sessions and votes, made by the platform's own functions."""

import copy
import json
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import batches
import yaml
from django.db import transaction
from django.utils import timezone

from accounts.models import Role, User
from ratings import plays, resume, sessions, votes
from ratings.clip_digests import clip_digest
from ratings.models import Play, Session, Trial, Vote
from stimuli.clips import read_out
from stimuli.models import Batch, BatchFile, Blob
from studies.models import Fielding, Slot, SlotState, Study, forget_designs
from studies.publish import publish

PASSWORD = "correct horse battery"  # noqa: S105 - of nobody
# required by default
AGE: dict[str, Any] = {
    "key": "age",
    "label": {"en": "Your age?", "de": "Ihr Alter?"},
    "choices": [
        {"key": "young", "label": {"en": "below 40", "de": "unter 40"}},
        {"key": "old", "label": {"en": "40 or more", "de": "40 oder mehr"}},
    ],
}
DESIGN: dict[str, Any] = {
    "contract": "eyelevel/study/1",
    "name": "pilot",
    "seed": 7,
    "languages": ["en", "de"],
    "title": {"en": "How fast is it?", "de": "Wie schnell ist es?"},
    "consent": {"version": "1", "text": {"en": "I agree.", "de": "Ich stimme zu."}},
    "contact": "study@example.org",
    "batch": "small",
    "contexts": [{"key": "work", "label": {"en": "at work", "de": "bei der Arbeit"}, "networks": ["DSL", "LTE"]}],
    # most tests finish without answers about the person
    "questions": [AGE | {"required": False}],
    "trials": [{"kind": "rate", "count": 4}, {"kind": "compare", "count": 2}],
    "quota": {"sessions": 6},
}
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
SCREEN = sessions.Screen(width_px=1280, height_px=720, device_pixel_ratio=1.0)
# a play without faults
EVIDENCE: dict[str, Any] = {
    "version": 1,
    "media_ms": 3550,
    "wall_ms": 3561.2,
    "off_speed_ms": 4.2,
    "off_speed": False,
    "frames_presented": 213,
    "frames_dropped": 0,
    "stalls": [],
    "hidden": [],
    "unfocused": [],
    "pauses": [],
    "window": {"width_px": 1440, "height_px": 900},
    "screen": {"width_px": 1440, "height_px": 900},
    "device_pixel_ratio": 1,
    "zoom": 1,
    "shown": {"width_px": 1280, "height_px": 720, "scale": 1, "device_scale": 1},
    "refresh_hz": 60,
    "frame_callback": True,
    "complete": True,
}


def user(name: str, role: Role) -> User:
    return User.objects.create_account(name, PASSWORD, role)


def visible_batch(folder: batches.Folder | None = None) -> Batch:
    """A batch as rows, without its files."""
    folder = folder or batches.folder()
    batch = Batch.objects.create(
        sha256=folder.sha256,
        campaign=folder.manifest["campaign"]["name"],
        manifest_text=folder.manifest_bytes.decode(),
    )
    for path, entry in folder.manifest["files"].items():
        BatchFile.objects.create(batch=batch, path=path, **entry)
        Blob.objects.get_or_create(sha256=entry["sha256"], defaults={"bytes": entry["bytes"]})
    read_out(batch)
    return batch


def design(**changes: Any) -> dict[str, Any]:
    """The design with these changes; without training, unless a block has it."""
    changed = copy.deepcopy(DESIGN | changes)
    changed["trials"] = [{"training": 0} | block for block in changed["trials"]]
    return changed


def study(*, owner: User | None = None, **changes: Any) -> Study:
    """A published study on the visible batch `small`, by default by the first researcher."""
    owner = owner or User.objects.filter(role=Role.RESEARCHER).order_by("pk").first()
    # a study file may not contain aliases, which YAML writes for repeated objects
    text = yaml.safe_dump(json.loads(json.dumps(design(**changes))))
    return publish(text, user=owner)


def slot_counts() -> dict[str, int]:
    """The numbers of slots that are open, assigned to a trial without a vote, and filled by a vote."""
    assigned = Slot.objects.filter(state=SlotState.ASSIGNED)
    filled = assigned.filter(trial__vote__isnull=False).count()
    opened = Slot.objects.filter(state=SlotState.OPEN).count()
    return {"open": opened, "assigned": assigned.count() - filled, "filled": filled}


def refreeze(study: Study, **parts: Any) -> None:
    """Change parts of a frozen study in place, as only a test does; its digest stays the same."""
    frozen = study.frozen
    frozen["study"] |= parts
    study.frozen_text = json.dumps(frozen)
    study.save(update_fields=["frozen_text"])
    forget_designs()


def play(trial: Trial) -> Play:
    """Store a play of this trial's clip."""
    return plays.take_play(trial.session, trial.position, playback())


def watched(trial: Trial, *, minutes: float = 1) -> Trial:
    """The trial, with its clip sent `minutes` ago, in a session that began no later."""
    sent = timezone.now() - timedelta(minutes=minutes)
    Trial.objects.filter(pk=trial.pk).update(clip_sent_at=sent)
    Session.objects.filter(pk=trial.session_id, started_at__gt=sent).update(started_at=sent)
    return Trial.objects.get(pk=trial.pk)


def playback() -> plays.Playback:
    """A play without faults, under a new id."""
    return plays.Playback(id=uuid.uuid4(), started_at=NOON, ended_at=NOON, replay=False, evidence=EVIDENCE)


def start(fielding: Fielding) -> tuple[Session, str]:
    """A new participant's session, and its cookie's token."""
    return sessions.start(sessions.fielding_of(fielding.slug), language="en", consent_version="1", screen=SCREEN)


def begin_anew(session: Session) -> Session:
    """The session that replaces this one, as for a participant who returns too late to continue."""
    with transaction.atomic():
        resume.close(session)
        arrival = sessions.Arrival(participant=session.participant)
        fielding = sessions.fielding_of(session.fielding.slug)
        return sessions.start(fielding, language="en", consent_version="1", screen=SCREEN, arrival=arrival)[0]


def vote(trial: Trial, data: dict[str, Any] | None = None, *, replays: int = 0, answer_ms: float = 1200.0) -> Vote:
    """Store a vote in this trial; by default the score 4 or the left side."""
    default = {"score": 4} if trial.kind == "rate" else {"choice": "left", "sureness": 3}
    answer = votes.Answer(
        position=trial.position,
        clip_digest=clip_digest(trial),
        kind=trial.kind,
        kind_version=trial.kind_version,
        data=data or default,
        layout="row",
        replays=replays,
        answer_ms=answer_ms,
        answered_at=NOON,
    )
    return votes.take_vote(trial.session, uuid.uuid4(), answer)
