"""Reads a session's trial under the session's lock, and extends its lease, for plays and votes."""

import uuid
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, OuterRef, Subquery
from django.utils import timezone

from lib.problems import Problem
from ratings.models import Play, Session, Trial, Vote

# an extension of the lease is stored once this share of it has passed, so that most votes need no UPDATE for it
RENEWED_AFTER = 0.1


@dataclass(frozen=True)
class Place:
    """A trial, and all that storing a play or a vote in it needs to know."""

    trial: Trial
    clip_before: str | None
    plays: int
    # the sessions in which a vote and a play with the given ids are stored, if any
    vote_in: uuid.UUID | None
    play_in: uuid.UUID | None


def place_of(
    session: Session, position: int, *, vote_id: uuid.UUID | None = None, play_id: uuid.UUID | None = None
) -> Place:
    """Lock the session, then read the trial at this position of its plan; raises Problem 422 `invalid`.

    Everything that adds to a session or changes its trials locks the session first, so what is read here stays true
    until the end of the transaction.
    """
    locked = Session.objects.select_for_update(no_key=True).filter(pk=session.pk)
    session.state, session.lease_until = locked.values_list("state", "lease_until").first() or (session.state, None)
    before = Trial.objects.filter(session=OuterRef("session"), position=OuterRef("position") - 1)
    plays = Play.objects.filter(trial=OuterRef("pk")).order_by().values("trial").annotate(count=Count("pk"))
    found = Trial.objects.filter(session=session, position=position).annotate(
        clip_before=Subquery(before.values("stimulus__clip__sha256")),
        plays_stored=Subquery(plays.values("count")),
        vote_in=Subquery(Vote.with_tombstones.filter(pk__in=[vote_id] if vote_id else []).values("session")),
        play_in=Subquery(Play.with_tombstones.filter(pk__in=[play_id] if play_id else []).values("trial__session")),
    )
    related = ("vote", "stimulus__clip__take", "stimulus__clip__right_take")
    trial = found.select_related(*related).first()
    if trial is None:
        raise invalid("position", f"position is {position}, but this session has no such trial.")
    return Place(trial, trial.clip_before, trial.plays_stored or 0, trial.vote_in, trial.play_in)


def renew_lease(session: Session) -> None:
    """Extend the time for which the session keeps its quota slots; the session must be locked."""
    lease, now = timedelta(minutes=session.fielding.lease_minutes), timezone.now()
    if session.lease_until is None or session.lease_until < now + (1 - RENEWED_AFTER) * lease:
        Session.objects.filter(pk=session.pk).update(lease_until=now + lease)


def invalid(field: str, message: str) -> Problem:
    return Problem(422, "invalid", message, details={"field": field})


def id_taken(key: uuid.UUID) -> Problem:
    return Problem(409, "id_taken", f"The id {key} cannot be used; make a new one.")
