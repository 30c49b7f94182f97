"""Taking in plays and votes. A client-made UUID is the key: a repeat gets the first receipt."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from eyelevel_kinds import KINDS, AnswerError
from lib.problems import Problem
from ratings import slots
from ratings.evidence import check_evidence
from ratings.models import Play, Session, SessionState, Trial, TrialRole, Vote
from ratings.signals import vote_stored
from studies.models import Slot, SlotState

# of one trial: nobody needs so many, and a page gone wild must not fill the disk
MOST_PLAYS = 100


@dataclass(frozen=True)
class Answer:
    """A vote as the browser sent it."""

    position: int
    clip_sha256: str
    kind: str
    kind_version: int
    data: Mapping[str, Any]
    replays: int
    answer_ms: float
    answered_at: datetime
    media_ms: float | None = None
    away: list[dict[str, float]] | None = None


@dataclass(frozen=True)
class Playback:
    """A play as the browser sent it."""

    position: int
    started_at: datetime
    ended_at: datetime | None
    replay: bool
    evidence: dict[str, Any]


def take_vote(session: Session, vote_id: uuid.UUID, answer: Answer) -> Vote:
    """Store the vote and send `vote_stored`; raises Problem 409 `already_answered` or `id_taken`, or 422."""
    try:
        with transaction.atomic():
            return _take_vote(session, vote_id, answer)
    except IntegrityError:
        # the same id arrived twice at once, the other time for another trial
        raise _id_taken(vote_id) from None


def take_play(session: Session, play_id: uuid.UUID, playback: Playback) -> Play:
    """Store the play; a repeat gives the first one.

    Raises Problem 422 with the field of the evidence that is wrong, or 409 `too_many_plays` or `id_taken`.
    """
    evidence = playback.evidence
    check_evidence(evidence)
    trial = _trial(session, playback.position)
    _check_room(trial, play_id)
    try:
        with transaction.atomic():
            return Play.objects.create(
                id=play_id,
                trial=trial,
                started_at=playback.started_at,
                ended_at=playback.ended_at,
                replay=playback.replay,
                frames_presented=evidence["frames_presented"],
                frames_dropped=evidence["frames_dropped"],
                evidence=evidence,
            )
    except IntegrityError:
        first = Play.objects.filter(pk=play_id, trial__session=session).first()
        if first is None:
            raise _id_taken(play_id) from None
        return first
    finally:
        _renew_lease(session)


def _check_room(trial: Trial, play_id: uuid.UUID) -> None:
    """Not exact to one where several arrive at once, which does no harm."""
    plays = Play.objects.filter(trial=trial)
    if plays.count() >= MOST_PLAYS and not plays.filter(pk=play_id).exists():
        message = f"The trial {trial.position} has {MOST_PLAYS} plays already; more of it are not stored."
        raise Problem(409, "too_many_plays", message)


def _take_vote(session: Session, vote_id: uuid.UUID, answer: Answer) -> Vote:
    # it locks the session, always before any of its trials
    _renew_lease(session)
    # the lock makes repeats of one trial wait for each other
    trial = _trial(session, answer.position, lock=True)
    first = Vote.objects.filter(pk=vote_id).first()
    if first is not None:
        if first.session_id != session.pk:
            raise _id_taken(vote_id)
        return first
    # before anything that a browser takes for "the server has it"
    if answer.clip_sha256 != trial.stimulus.clip.sha256:
        raise _wrong("clip_sha256", f"clip_sha256 is not the clip of the trial {trial.position}.")
    if Vote.objects.filter(trial=trial).exists():
        message = f"The trial {trial.position} has an answer already, which stays."
        raise Problem(409, "already_answered", message)
    if trial.skipped:
        raise Problem(409, "skipped", f"The trial {trial.position} was skipped, and the session is complete.")
    vote = _vote(session, trial, vote_id, answer)
    vote.save()
    if trial.slot_id is not None:
        Slot.objects.filter(pk=trial.slot_id).update(state=SlotState.FILLED)
    elif trial.role == TrialRole.MAIN and Session.objects.filter(pk=session.pk, state=SessionState.STARTED).exists():
        slots.reclaim(session)
    study_sha256 = vote.study_id
    # robust: the vote is stored, whatever becomes of those who listen
    transaction.on_commit(lambda: vote_stored.send_robust(sender=Vote, study_sha256=study_sha256))
    return vote


def _vote(session: Session, trial: Trial, vote_id: uuid.UUID, answer: Answer) -> Vote:
    if answer.kind != trial.kind:
        raise _wrong("kind", f"kind is {answer.kind!r}, but the trial {trial.position} is of kind {trial.kind}.")
    if answer.kind_version != trial.kind_version:
        raise _wrong("kind_version", f"kind_version is {answer.kind_version}, but must be {trial.kind_version}.")
    try:
        data = KINDS[trial.kind].validate(answer.data)
    except AnswerError as error:
        raise _wrong(f"data.{error.field}", f"data.{error}") from None
    stimulus = trial.stimulus
    return Vote(
        id=vote_id,
        trial=trial,
        session=session,
        study_id=stimulus.study_id,
        clip_sha256=stimulus.clip.sha256,
        stacks=stimulus.clip.stacks,
        context=stimulus.context,
        position=trial.position,
        kind=trial.kind,
        kind_version=trial.kind_version,
        data=data,
        role=trial.role,
        previous_clip_sha256=_clip_before(trial),
        replays=answer.replays,
        answer_ms=answer.answer_ms,
        media_ms=answer.media_ms,
        away=answer.away,
        answered_at=answer.answered_at,
    )


def _clip_before(trial: Trial) -> str | None:
    before = Trial.objects.filter(session=trial.session_id, position=trial.position - 1)
    return before.values_list("stimulus__clip__sha256", flat=True).first()


def _trial(session: Session, position: int, *, lock: bool = False) -> Trial:
    trials = Trial.objects.select_related("stimulus__clip__take", "stimulus__clip__right_take")
    if lock:
        trials = trials.select_for_update(of=("self",))
    trial = trials.filter(session=session, position=position).first()
    if trial is None:
        raise _wrong("position", f"position is {position}, but this session has no such trial.")
    return trial


def _renew_lease(session: Session) -> None:
    lease = timedelta(minutes=session.fielding.lease_minutes)
    Session.objects.filter(pk=session.pk).update(lease_until=timezone.now() + lease)


def _wrong(field: str, message: str) -> Problem:
    return Problem(422, "invalid", message, details={"field": field})


def _id_taken(key: uuid.UUID) -> Problem:
    return Problem(409, "id_taken", f"The id {key} cannot be used; make a new one.")
