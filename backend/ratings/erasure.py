"""Turns all rows of a participant into tombstones: the only exception from append-only."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import connection

from ratings.models import Participant, Recruitment, Session, Trial, Vote
from ratings.slots import want_anew
from ratings.tombstones import Erasable, emptied_fields, erasable_models


@dataclass(frozen=True)
class Entombed:
    """What became tombstones: rows by table, the sessions, and the studies that these were of."""

    rows: dict[str, int]
    sessions: list[UUID]
    studies: list[str]
    votes: int
    recruiter_ids: int


def entomb(participant: Participant, now: datetime) -> Entombed:
    """Empty all rows of this participant and want their votes anew. To be called in a transaction, once.

    Waits for votes and plays that are just being stored; later ones are refused by the database.
    """
    # in the order in which votes lock too
    sessions = list(Session.objects.select_for_update(of=("self",)).filter(participant=participant).order_by("pk"))
    trials = list(Trial.objects.select_for_update(of=("self",)).filter(session__participant=participant).order_by("pk"))
    studies = sorted(set(Session.objects.filter(participant=participant).values_list("fielding__study_id", flat=True)))
    votes = Vote.objects.filter(session__participant=participant).count()
    fielding_of = {session.pk: session.fielding_id for session in sessions}
    held: dict[int, list[int]] = {}
    for trial in trials:
        if trial.slot_id is not None:
            held.setdefault(fielding_of[trial.session_id], []).append(trial.slot_id)
    with _erasing():
        rows = {model._meta.label: _empty(model, participant, now) for model in erasable_models()}
    recruiter_ids, _ = Recruitment.objects.filter(participant=participant).delete()
    for fielding, slots in sorted(held.items()):
        want_anew(fielding, slots)
    return Entombed(
        rows={label: count for label, count in rows.items() if count},
        sessions=[session.pk for session in sessions],
        studies=studies,
        votes=votes,
        recruiter_ids=recruiter_ids,
    )


def _empty(model: type[Erasable], participant: Participant, now: datetime) -> int:
    own = model.with_tombstones.filter(**{model.PARTICIPANT: participant.pk}, erased_at=None)
    return own.update(**dict.fromkeys(emptied_fields(model)), erased_at=now)


@contextmanager
def _erasing() -> Iterator[None]:
    """Tell the triggers, for this transaction only."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL eyelevel.erasure = 'on'")
        yield
        cursor.execute("SET LOCAL eyelevel.erasure = 'off'")
