"""Finds a session's trial and extends its lease, for plays and votes."""

import uuid
from datetime import timedelta

from django.utils import timezone

from lib.problems import Problem
from ratings.models import Session, Trial


def trial_at(session: Session, position: int, *, lock: bool = False) -> Trial:
    """The trial at this position of the session's plan; raises Problem 422 `invalid`."""
    trials = Trial.objects.select_related("stimulus__clip__take", "stimulus__clip__right_take")
    if lock:
        trials = trials.select_for_update(of=("self",))
    trial = trials.filter(session=session, position=position).first()
    if trial is None:
        raise invalid("position", f"position is {position}, but this session has no such trial.")
    return trial


def renew_lease(session: Session) -> None:
    """Extend the time for which the session keeps its quota slots."""
    lease = timedelta(minutes=session.fielding.lease_minutes)
    Session.objects.filter(pk=session.pk).update(lease_until=timezone.now() + lease)


def invalid(field: str, message: str) -> Problem:
    return Problem(422, "invalid", message, details={"field": field})


def id_taken(key: uuid.UUID) -> Problem:
    return Problem(409, "id_taken", f"The id {key} cannot be used; make a new one.")
