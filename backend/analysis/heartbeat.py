"""Heartbeat: renews the lease of a run from a thread, so that a run may take longer than a lease."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from threading import Event, Thread

from django.db import DatabaseError, connection

from analysis import leases

log = logging.getLogger(__name__)

# so many missed beats are a lost lease
BEATS_PER_LEASE = 6


@contextmanager
def kept_alive(lease: leases.Lease, now: Callable[[], datetime]) -> Iterator[None]:
    """Renew the lease until the block ends. The thread dies with its process, and the lease then runs out.

    A lease that was lost all the same (an erasure takes it away) is not taken back: `leases.finish` raises.
    """
    over = Event()
    thread = Thread(target=_beat, args=(lease, now, over), name="heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _beat(lease: leases.Lease, now: Callable[[], datetime], over: Event) -> None:
    try:
        while not over.wait((leases.LEASE / BEATS_PER_LEASE).total_seconds()):
            try:
                leases.keep(lease, now())
            except leases.LostLeaseError:
                return
            except DatabaseError as error:
                # the next beat connects again
                log.warning("The lease on %s was not renewed: %s", lease.study_sha256, type(error).__name__)
                connection.close()
    finally:
        # this thread's own connection
        connection.close()
