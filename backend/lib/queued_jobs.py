"""Jobs that a message calls a worker for, with a few attempts; the lease of a row decides which worker does its job.

    queued -> claim -> running -> (Lease.end) done
                                \\-> fail -> queued, after a pause
                                         \\-> failed, for good or after the last attempt

A message can be lost and a worker can be killed: `is_lost` finds the jobs that another message must call for.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import models
from django.db.models import F, Q

from lib.leases import Lease, Leased, is_free, take

# values of `state`; a job may have more
QUEUED, RUNNING, FAILED = "queued", "running", "failed"
# number of workers that may begin a job, killed ones included
ATTEMPTS = 3
# after the first and second failure
PAUSES = (timedelta(minutes=1), timedelta(minutes=5))
# after this time, a queued job is announced again, because its message may be lost
UNANSWERED = timedelta(seconds=60)
NO_LEASE: dict[str, Any] = {"lease_id": None, "lease_until": None}


class QueuedJob(Leased):
    """A job with a `state`, for which workers make a few attempts."""

    # number of workers that have begun it
    attempts = models.PositiveSmallIntegerField(default=0)
    # after a failure, the earliest time of the next attempt
    not_before = models.DateTimeField(null=True, blank=True)
    # the last change of state
    moved_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True


def is_lost(now: datetime) -> Q:
    """Condition that no message calls for the job any more."""
    return Q(state=QUEUED, moved_at__lte=now - UNANSWERED) & _is_due(now) | _is_stalled(now)


def claim(row: models.QuerySet[Any], what: str, now: datetime, **values: Any) -> Lease | None:
    """Begin an attempt, and store `values`; None if the job has ended, waits for its next attempt or is leased."""
    return take(
        row,
        what,
        now,
        Q(state=QUEUED) & _is_due(now) | Q(state=RUNNING),
        Q(attempts__lt=ATTEMPTS),
        state=RUNNING,
        attempts=F("attempts") + 1,
        moved_at=now,
        started_at=now,
        **values,
    )


def fail(
    lease: Lease, now: datetime, *, for_good: bool = False, at_end: Mapping[str, Any] | None = None, **values: Any
) -> None:
    """Queue another attempt after a pause; after the last attempt, or `for_good`, the job has failed.

    `values` are stored in both cases, and `at_end` only if the job has failed.
    """
    attempts = lease.row.values_list("attempts", flat=True).first() or 0
    if for_good or attempts >= ATTEMPTS:
        lease.end(state=FAILED, finished_at=now, moved_at=now, **values, **(at_end or {}))
    else:
        lease.end(state=QUEUED, not_before=now + PAUSES[attempts - 1], moved_at=now, **values)


def fail_used_up(rows: models.QuerySet[Any], now: datetime, **values: Any) -> None:
    """Store as failed those whose last worker was killed."""
    used_up = rows.filter(_is_stalled(now), attempts__gte=ATTEMPTS)
    used_up.update(state=FAILED, finished_at=now, moved_at=now, **NO_LEASE, **values)


def queue_again(row: models.QuerySet[Any], now: datetime) -> bool:
    """Queue a job that is lost; returns whether it was."""
    return bool(row.filter(is_lost(now)).update(state=QUEUED, moved_at=now, **NO_LEASE))


def _is_due(now: datetime) -> Q:
    return Q(not_before=None) | Q(not_before__lte=now)


def _is_stalled(now: datetime) -> Q:
    return Q(state=RUNNING) & is_free(now)
