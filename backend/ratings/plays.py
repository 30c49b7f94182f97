"""Stores plays. The browser generates each play's UUID, so a repeated request returns the first receipt."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from eyelevel_core.contracts import ContractError, check
from eyelevel_core.contracts.sentences import dotted
from lib.problems import Problem
from ratings.models import Play, Session, SessionState
from ratings.trials import Place, id_taken, invalid, place_of, renew_lease

CONTRACT = "play-evidence.1"
# per trial, so that a faulty page cannot fill the disk
MAX_PLAYS = 100


@dataclass(frozen=True)
class Playback:
    """A play as sent by the browser."""

    id: uuid.UUID
    started_at: datetime
    ended_at: datetime | None
    replay: bool
    evidence: dict[str, Any]


def take_play(session: Session, position: int, playback: Playback) -> Play:
    """Store a play that was sent without a vote; a repeated request returns the stored one.

    Raises Problem 422 with the invalid field of the evidence, or 409 `too_many_plays` or `id_taken`.
    """
    check_evidence(playback.evidence)
    try:
        return _take_play(session, position, playback)
    except IntegrityError:
        # another session has just used the id, which the second attempt finds
        return _take_play(session, position, playback)


def _take_play(session: Session, position: int, playback: Playback) -> Play:
    with transaction.atomic():
        place = place_of(session, position, play_id=playback.id)
        play = store(session, place, playback)
        renew_lease(session, position)
    return play


def store(session: Session, place: Place, playback: Playback) -> Play:
    """Store the play in its trial, or return a stored one with its id; call it with checked evidence, and locked."""
    if place.play_in is not None:
        if place.play_in != session.pk:
            raise id_taken(playback.id)
        return Play.objects.get(pk=playback.id)
    if place.plays >= MAX_PLAYS:
        message = f"Trial {place.trial.position} already has {MAX_PLAYS} plays, which is the maximum."
        raise Problem(409, "too_many_plays", message)
    if session.state == SessionState.COMPLETED:
        # the verdict has not considered this play
        Session.objects.filter(pk=session.pk).update(to_judge_since=timezone.now())
    return Play.objects.create(
        id=playback.id,
        trial=place.trial,
        started_at=playback.started_at,
        ended_at=playback.ended_at,
        replay=playback.replay,
        frames_presented=playback.evidence["frames_presented"],
        frames_dropped=playback.evidence["frames_dropped"],
        evidence=playback.evidence,
    )


def check_evidence(evidence: Mapping[str, Any]) -> None:
    """Raise Problem 422 with the first field that violates the contract, e.g. `evidence.stalls[0].ms`."""
    try:
        check(evidence, CONTRACT, source="evidence")
    except ContractError as error:
        raise invalid(dotted(("evidence", *error.where)), str(error)) from None
