"""Storing plays. The browser makes each play's UUID: repeating a request returns the first receipt."""

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from eyelevel_core.contracts import ContractError, check
from lib.problems import Problem
from ratings.models import Play, Session, Trial
from ratings.trials import id_taken, invalid, renew_lease, trial_at

CONTRACT = "play-evidence.1"
# per trial: nobody needs more, and a faulty page must not fill the disk
MAX_PLAYS = 100


@dataclass(frozen=True)
class Playback:
    """A play as the browser sent it."""

    position: int
    started_at: datetime
    ended_at: datetime | None
    replay: bool
    evidence: dict[str, Any]


def take_play(session: Session, play_id: uuid.UUID, playback: Playback) -> Play:
    """Store the play; a repeat gives the first one.

    Raises Problem 422 with the field of the evidence that is wrong, or 409 `too_many_plays` or `id_taken`.
    """
    evidence = playback.evidence
    check_evidence(evidence)
    trial = trial_at(session, playback.position)
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
            raise id_taken(play_id) from None
        return first
    finally:
        renew_lease(session)


def check_evidence(evidence: Mapping[str, Any]) -> None:
    """Raise Problem 422 that names the first field violating the contract, e.g. `evidence.stalls[0].ms`."""
    try:
        # Python parses NaN, which PostgreSQL cannot store as JSON
        json.dumps(evidence, allow_nan=False)
    except ValueError:
        raise invalid("evidence", "evidence contains a number that is not finite.") from None
    try:
        check(evidence, CONTRACT, source="evidence")
    except ContractError as error:
        field = "evidence" + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.where)
        raise invalid(field, str(error)) from None


def _check_room(trial: Trial, play_id: uuid.UUID) -> None:
    """Raise Problem 409 where the trial has MAX_PLAYS plays; concurrent requests may exceed it slightly."""
    plays = Play.objects.filter(trial=trial)
    if plays.count() >= MAX_PLAYS and not plays.filter(pk=play_id).exists():
        message = f"Trial {trial.position} already has {MAX_PLAYS} plays; further plays are not stored."
        raise Problem(409, "too_many_plays", message)
