"""Leases on jobs: a row stores which worker does its job, and a heartbeat renews the lease meanwhile.

    take -> (keep, change ...) -> end

All of these are conditional updates of the row, so that two workers never both do a job. The lease of a worker that
was killed expires; then another worker can take it.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Event, Thread
from typing import Any
from uuid import UUID, uuid4

from django.db import DatabaseError, connection, models

log = logging.getLogger(__name__)

LEASE = timedelta(seconds=60)
# number of missed heartbeats after which a lease expires
BEATS_PER_LEASE = 6

Clock = Callable[[], datetime]


class LostLeaseError(Exception):
    """The lease ran out and went to another worker, or the job was withdrawn."""


class Leased(models.Model):
    """A job that only one worker does at a time."""

    lease_id = models.UUIDField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True


@dataclass(frozen=True)
class Lease:
    """The right to do the job of one row; `what` names it in messages."""

    row: models.QuerySet[Any]
    what: str
    id: UUID

    def change(self, **values: Any) -> None:
        """Update the row; raises LostLeaseError if the lease is no longer ours."""
        if not self.row.filter(lease_id=self.id).update(**values):
            raise LostLeaseError(f"{self.what} is no longer leased to this worker.")

    def keep(self, now: datetime, **values: Any) -> None:
        """Renew the lease; raises LostLeaseError if it is no longer ours."""
        self.change(lease_until=now + LEASE, **values)

    def end(self, **values: Any) -> None:
        """Store the outcome of the job, and free the row; raises LostLeaseError if the lease is no longer ours."""
        self.change(lease_id=None, lease_until=None, **values)


def take(row: models.QuerySet[Any], what: str, now: datetime, *conditions: models.Q, **values: Any) -> Lease | None:
    """Take the lease of this one row, and store `values` in it; None if it is not free, or a condition fails."""
    lease = Lease(row, what, uuid4())
    free = row.filter(is_free(now), *conditions)
    return lease if free.update(lease_id=lease.id, lease_until=now + LEASE, **values) else None


def is_free(now: datetime) -> models.Q:
    """Condition that no worker has the lease, or that it has expired."""
    return models.Q(lease_until=None) | models.Q(lease_until__lte=now)


@contextmanager
def kept_alive(lease: Lease, now: Clock) -> Iterator[None]:
    """Renew the lease from a thread until the block ends; if the process is killed, the lease expires.

    A lease that is lost nevertheless, for example by an erasure, is not taken again: the end of the job raises.
    """
    over = Event()
    thread = Thread(target=_beat, args=(lease, now, over), name="heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _beat(lease: Lease, now: Clock, over: Event) -> None:
    try:
        while not over.wait((LEASE / BEATS_PER_LEASE).total_seconds()):
            try:
                lease.keep(now())
            except LostLeaseError:
                return
            except DatabaseError as error:
                # the next beat connects again
                log.warning("The lease on %s was not renewed: %s", lease.what, type(error).__name__)
                connection.close()
    finally:
        # the connection of this thread
        connection.close()
