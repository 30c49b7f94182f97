"""Erasure: turns all rows of a participant into tombstones, the only exception from append-only."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import connection

from ratings.models import Participant, Recruitment, Session, Trial, Vote
from ratings.slots import release_erased
from ratings.tombstones import Erasable, emptied_fields, erasable_models


@dataclass(frozen=True)
class Entombed:
    """Result of an erasure: number of tombstones by table, sessions, their studies, and further numbers."""

    rows: dict[str, int]
    sessions: list[UUID]
    studies: list[str]
    votes: int
    recruiter_ids: int


def entomb(participant: Participant, now: datetime) -> Entombed:
    """Empty all rows of this participant, and release their quota slots; call it once, in a transaction.

    Waits for votes and plays that are being stored; the database rejects later ones.
    """
    # in the order in which votes lock rows too
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
        release_erased(fielding, slots)
    return Entombed(
        rows={label: count for label, count in rows.items() if count},
        sessions=[session.pk for session in sessions],
        studies=studies,
        votes=votes,
        recruiter_ids=recruiter_ids,
    )


def _empty(model: type[Erasable], participant: Participant, now: datetime) -> int:
    rows = model.with_tombstones.filter(**{model.PARTICIPANT: participant.pk}, erased_at=None)
    return rows.update(**dict.fromkeys(emptied_fields(model)), erased_at=now)


@contextmanager
def _erasing() -> Iterator[None]:
    """Permit the erasure to the triggers, for this transaction only."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL eyelevel.erasure = 'on'")
        yield
        cursor.execute("SET LOCAL eyelevel.erasure = 'off'")
