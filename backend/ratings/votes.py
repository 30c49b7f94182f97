"""Stores votes. The browser generates each vote's UUID, so a repeated request returns the first receipt."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from eyelevel_kinds import KINDS, AnswerError
from lib.problems import Problem
from ratings import plays, slots
from ratings.clip_digests import clip_digest
from ratings.models import Session, SessionState, TrialRole, Vote
from ratings.plays import Playback
from ratings.signals import vote_stored
from ratings.trials import Place, id_taken, invalid, place_of, renew_lease


@dataclass(frozen=True)
class Answer:
    """A vote as sent by the browser."""

    position: int
    clip_digest: str
    kind: str
    kind_version: int
    data: Mapping[str, Any]
    layout: str
    replays: int
    answer_ms: float
    answered_at: datetime
    media_ms: float | None = None
    away: list[dict[str, float]] | None = None


def take_vote(session: Session, vote_id: uuid.UUID, answer: Answer, play: Playback | None = None) -> Vote:
    """Store the vote, and in the same transaction the play that precedes it; sends `vote_stored`.

    A repeated request returns the stored vote. Raises Problem 409 `already_answered` or `skipped`, in which case the
    play is stored, or 409 `id_taken` or `too_many_plays`, or 422, in which case nothing is stored.
    """
    if play is not None:
        plays.check_evidence(play.evidence)
    try:
        taken = _take_vote(session, vote_id, answer, play)
    except IntegrityError:
        # another session has just used one of the ids, which the second attempt finds
        taken = _take_vote(session, vote_id, answer, play)
    if isinstance(taken, Problem):
        raise taken
    return taken


@transaction.atomic
def _take_vote(session: Session, vote_id: uuid.UUID, answer: Answer, play: Playback | None) -> Vote | Problem:
    """Store vote and play; returns the vote, or the Problem with which only the play was stored."""
    place = place_of(session, answer.position, vote_id=vote_id, play_id=play.id if play else None)
    trial = place.trial
    first: Vote | None = getattr(trial, "vote", None)
    if place.vote_in is not None and (first is None or first.pk != vote_id):
        raise id_taken(vote_id)
    # checked before any response that confirms storage to the browser
    if answer.clip_digest != clip_digest(trial):
        raise invalid("clip_digest", f"clip_digest is not that of the clip of trial {trial.position}.")
    if play is not None:
        plays.store(session, place, play)
    if first is not None and first.pk == vote_id:
        return first
    if first is not None:
        message = f"Trial {trial.position} already has an answer, which cannot be changed."
        return Problem(409, "already_answered", message)
    if trial.skipped:
        return Problem(409, "skipped", f"Trial {trial.position} was skipped, and the session is complete.")
    vote = _vote(session, place, vote_id, answer)
    vote.save()
    renew_lease(session, trial.position)
    if trial.slot_id is None and trial.role == TrialRole.MAIN and session.state == SessionState.STARTED:
        slots.reclaim(session)
    study_sha256 = vote.study_id
    # robust, because the vote is stored even if a receiver raises
    transaction.on_commit(lambda: vote_stored.send_robust(sender=Vote, study_sha256=study_sha256))
    return vote


def _vote(session: Session, place: Place, vote_id: uuid.UUID, answer: Answer) -> Vote:
    trial = place.trial
    if answer.kind != trial.kind:
        raise invalid("kind", f"kind is {answer.kind!r}, but trial {trial.position} has the kind {trial.kind}.")
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
        previous_clip_sha256=place.clip_before,
        replays=answer.replays,
        answer_ms=answer.answer_ms,
        media_ms=answer.media_ms,
        away=answer.away,
        answered_at=answer.answered_at,
    )
