"""Storing votes. The browser makes each vote's UUID: repeating a request returns the first receipt."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from eyelevel_kinds import KINDS, AnswerError
from lib.problems import Problem
from ratings import slots
from ratings.models import Session, SessionState, Trial, TrialRole, Vote
from ratings.signals import vote_stored
from ratings.trials import id_taken, invalid, renew_lease, trial_at
from studies.models import Slot, SlotState


@dataclass(frozen=True)
class Answer:
    """A vote as the browser sent it."""

    position: int
    clip_sha256: str
    kind: str
    kind_version: int
    data: Mapping[str, Any]
    layout: str
    replays: int
    answer_ms: float
    answered_at: datetime
    media_ms: float | None = None
    away: list[dict[str, float]] | None = None


def take_vote(session: Session, vote_id: uuid.UUID, answer: Answer) -> Vote:
    """Store the vote and send `vote_stored`; raises Problem 409 `already_answered` or `id_taken`, or 422."""
    try:
        with transaction.atomic():
            return _take_vote(session, vote_id, answer)
    except IntegrityError:
        # the same id arrived at the same moment for another trial
        raise id_taken(vote_id) from None


def _take_vote(session: Session, vote_id: uuid.UUID, answer: Answer) -> Vote:
    # this locks the session, always before any of its trials
    renew_lease(session)
    # the lock serialises repeated requests for one trial
    trial = trial_at(session, answer.position, lock=True)
    first = Vote.objects.filter(pk=vote_id).first()
    if first is not None:
        if first.session_id != session.pk:
            raise id_taken(vote_id)
        return first
    # checked before any response that the browser takes as stored
    if answer.clip_sha256 != trial.stimulus.clip.sha256:
        raise invalid("clip_sha256", f"clip_sha256 is not the clip of the trial {trial.position}.")
    if Vote.objects.filter(trial=trial).exists():
        message = f"Trial {trial.position} already has an answer, which cannot be changed."
        raise Problem(409, "already_answered", message)
    if trial.skipped:
        raise Problem(409, "skipped", f"Trial {trial.position} was skipped, and the session is complete.")
    vote = _vote(session, trial, vote_id, answer)
    vote.save()
    if trial.slot_id is not None:
        Slot.objects.filter(pk=trial.slot_id).update(state=SlotState.FILLED)
    elif trial.role == TrialRole.MAIN and Session.objects.filter(pk=session.pk, state=SessionState.STARTED).exists():
        slots.reclaim(session)
    study_sha256 = vote.study_id
    # robust: the vote is stored, whatever a receiver raises
    transaction.on_commit(lambda: vote_stored.send_robust(sender=Vote, study_sha256=study_sha256))
    return vote


def _vote(session: Session, trial: Trial, vote_id: uuid.UUID, answer: Answer) -> Vote:
    if answer.kind != trial.kind:
        raise invalid("kind", f"kind is {answer.kind!r}, but the trial {trial.position} is of kind {trial.kind}.")
    if answer.kind_version != trial.kind_version:
        raise invalid("kind_version", f"kind_version is {answer.kind_version}, but must be {trial.kind_version}.")
    try:
        data = KINDS[trial.kind].validate(answer.data)
    except AnswerError as error:
        raise invalid(f"data.{error.field}", f"data.{error}") from None
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
        layout=answer.layout,
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
