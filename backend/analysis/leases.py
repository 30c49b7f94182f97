"""Leases: conditional updates of one row decide which worker analyses a study, so that two never both do.

    ask -> claim -> (keep ...) -> finish
                              \\-> give_up

A worker that dies keeps its lease until it runs out; then anybody may claim again.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from django.db.models import F, Q, QuerySet

from analysis.models import AnalysisState, Result

# renewed by `analysis.heartbeat` while a run goes on; a worker that was killed is replaced after at most this time
LEASE = timedelta(seconds=60)
# between the end of a run and the begin of the next one of the same study: nobody reads results more often. After a
# long run this many times as long, so that the analysis takes at most a tenth of one worker's time while votes come in
PAUSE = timedelta(seconds=15)
PAUSE_PER_RUN = 9
# after a run that failed
PAUSE_AFTER_FAILURE = timedelta(seconds=60)


@dataclass(frozen=True)
class Lease:
    """The right to analyse a study; `wanted` is how many calls this run answers."""

    study_sha256: str
    id: UUID
    wanted: int
    since: datetime


class LostLeaseError(Exception):
    """The lease ran out and went to another worker."""


def ask(study_sha256: str) -> None:
    """Call for an analysis of all votes that are stored by now."""
    AnalysisState.objects.get_or_create(study_id=study_sha256)
    _rows(study_sha256).update(wanted=F("wanted") + 1)


def ask_unless_wanted(study_sha256: str) -> None:
    """Call for an analysis, if none is wanted already."""
    AnalysisState.objects.get_or_create(study_id=study_sha256)
    _rows(study_sha256).filter(wanted__lte=F("done")).update(wanted=F("wanted") + 1)


def claim(study_sha256: str, now: datetime) -> Lease | None:
    """Take the turn, if an analysis is wanted, nobody is at it and the pause is over."""
    lease_id = uuid4()
    free = Q(lease_until=None) | Q(lease_until__lte=now)
    due = Q(not_before=None) | Q(not_before__lte=now)
    open_work = _rows(study_sha256).filter(free, due, wanted__gt=F("done"))
    if not open_work.update(lease_id=lease_id, lease_until=now + LEASE, booked_until=None):
        return None
    wanted = _rows(study_sha256).values_list("wanted", flat=True).get()
    return Lease(study_sha256, lease_id, wanted, now)


def keep(lease: Lease, now: datetime) -> None:
    """Prolong the lease; raise LostLeaseError where it is another's."""
    if not _held(lease).update(lease_until=now + LEASE):
        raise LostLeaseError(f"The analysis of {lease.study_sha256} took too long and is another worker's now.")


def finish(lease: Lease, result: Result, now: datetime) -> None:
    """Publish the result and free the turn; raise LostLeaseError where it is another's."""
    changed = _held(lease).update(
        done=lease.wanted,
        result=result,
        votes_read=result.snapshot.votes,
        exclusions_read=result.snapshot.exclusions,
        verdicts_read=result.snapshot.verdicts,
        lease_id=None,
        lease_until=None,
        not_before=now + max(PAUSE, PAUSE_PER_RUN * (now - lease.since)),
    )
    if not changed:
        raise LostLeaseError(f"The analysis of {lease.study_sha256} took too long and is another worker's now.")


def give_up(lease: Lease, now: datetime) -> None:
    """Free the turn after a failure; the work stays wanted."""
    _held(lease).update(lease_id=None, lease_until=None, not_before=now + PAUSE_AFTER_FAILURE)


def book(study_sha256: str, now: datetime) -> datetime | None:
    """When to ask again, if work is wanted that only the pause holds back and nobody has booked that moment yet."""
    held_back = _rows(study_sha256).filter(
        Q(lease_until=None) | Q(lease_until__lte=now),
        Q(booked_until=None) | Q(booked_until__lte=now),
        wanted__gt=F("done"),
        not_before__gt=now,
    )
    if not held_back.update(booked_until=F("not_before")):
        return None
    return _rows(study_sha256).values_list("booked_until", flat=True).get()


def _rows(study_sha256: str) -> QuerySet[AnalysisState]:
    return AnalysisState.objects.filter(study=study_sha256)


def _held(lease: Lease) -> QuerySet[AnalysisState]:
    return _rows(lease.study_sha256).filter(lease_id=lease.id)
