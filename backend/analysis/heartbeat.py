"""Heartbeat: renews a claim to a run from a thread, so that a run may take longer than a claim lasts without it."""

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

# prolongs the claim from a moment on; raises LostLeaseError where it is another's
Keep = Callable[[datetime], None]


@contextmanager
def kept_alive(what: str, keep: Keep, now: Callable[[], datetime]) -> Iterator[None]:
    """Call `keep` until the block ends. The thread dies with its process, and the claim then runs out.

    A claim that was lost all the same (an erasure takes it away) is not taken back: the end of the run raises. `what`
    names the claim in the log.
    """
    over = Event()
    thread = Thread(target=_beat, args=(what, keep, now, over), name="heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _beat(what: str, keep: Keep, now: Callable[[], datetime], over: Event) -> None:
    try:
        while not over.wait((leases.LEASE / BEATS_PER_LEASE).total_seconds()):
            try:
                keep(now())
            except leases.LostLeaseError:
                return
            except DatabaseError as error:
                # the next beat connects again
                log.warning("The lease on %s was not renewed: %s", what, type(error).__name__)
                connection.close()
    finally:
        # this thread's own connection
        connection.close()
