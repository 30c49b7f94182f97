"""Limits the rate of new sessions without storing IP addresses, and reclaims assignments of idle sessions.

`in_turn` limits concurrent starts in this process, so that votes always find a free thread; `check_pace` limits starts
per minute. `make_room` releases assignments of sessions whose lease has expired (`eyelevel_core.assignment.lease`).
These may still continue, and their late answers are stored. A rejected start gets 429 `busy`, and the page retries.
"""

import math
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.db import OperationalError, connection, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from psycopg.errors import LockNotAvailable

from eyelevel_core.assignment.lease import LONGEST_GRACE
from lib.problems import Problem
from ratings import slots
from ratings.models import Session, SessionState, Trial
from ratings.tombstones import living
from studies.models import Fielding

# the platform must admit 500 participants within two minutes; with 10 trials each, 1000 sessions are about 6 MB of rows
PER_MINUTE = 1000
# concurrent starts in one process; more would only wait for the processor
AT_ONCE = 3
LOCK_TIMEOUT_MS = 500
SHORTEST_WAIT_S, LONGEST_WAIT_S = 2, 60

_turns = threading.BoundedSemaphore(AT_ONCE)


@contextmanager
def in_turn() -> Iterator[None]:
    """Raise Problem 429 `busy` immediately if AT_ONCE starts are running in this process."""
    if not _turns.acquire(blocking=False):
        raise busy(timedelta())
    try:
        yield
    finally:
        _turns.release()


@contextmanager
def short_waits() -> Iterator[None]:
    """A transaction that raises Problem 429 `busy` after waiting LOCK_TIMEOUT_MS for a lock, to free the thread."""
    try:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute(f"SET LOCAL lock_timeout = {LOCK_TIMEOUT_MS:d}")
            yield
    except OperationalError as error:
        if isinstance(error.__cause__, LockNotAvailable):
            raise busy(timedelta()) from None
        raise


def fieldings_that_yield(fieldings: Collection[int], *, now: datetime) -> set[int]:
    """Fieldings in which a session must yield its assignment to a new session, now or soon."""
    sessions = _running(fieldings)
    holding = _holding(_over(sessions, now) | _yielding(sessions))
    return set(holding.values_list("fielding", flat=True).distinct())


def check_pace(fielding: Fielding, *, now: datetime) -> None:
    """Raise Problem 429 `busy` if too many sessions started in the last minute."""
    lately = Session.objects.filter(fielding=fielding).order_by("-started_at").values_list("started_at", flat=True)
    first = next(iter(lately[PER_MINUTE - 1 : PER_MINUTE]), None)
    minute = timedelta(minutes=1)
    if first is not None and first > now - minute:
        raise busy(first + minute - now)


def make_room(fielding: Fielding, *, now: datetime) -> None:
    """Release the slots of sessions whose lease has expired; the fielding's row must be locked.

    Raises Problem 429 `busy` if no slot can be released yet, but one can be soon.
    """
    sessions = _running([fielding.pk])
    if slots.release(fielding, _holding(_over(sessions, now))):
        return
    first = _holding(_yielding(sessions)).order_by("yields_at").first()
    if first is not None:
        raise busy(living(first.yields_at) - now)


def busy(wait: timedelta) -> Problem:
    seconds = min(LONGEST_WAIT_S, max(SHORTEST_WAIT_S, math.ceil(wait.total_seconds())))
    message = f"Many people are starting now; try again in {seconds} s."
    return Problem(429, "busy", message, retry=True, details={"retry_after_s": seconds})


def _running(fieldings: Collection[int]) -> QuerySet[Session]:
    return Session.objects.filter(fielding__in=fieldings, state=SessionState.STARTED)


def _over(sessions: QuerySet[Session], now: datetime) -> QuerySet[Session]:
    """Sessions whose lease has expired, or that must yield their assignment to a new session."""
    return sessions.filter(Q(lease_until__lt=now) | Q(yields_at__lt=now))


def _yielding(sessions: QuerySet[Session]) -> QuerySet[Session]:
    """Sessions without progress, which must soon yield their assignment unless they make progress."""
    return sessions.filter(yields_at__lte=F("started_at") + LONGEST_GRACE)


def _holding(sessions: QuerySet[Session]) -> QuerySet[Session]:
    held = Trial.objects.filter(session=OuterRef("pk"), slot__isnull=False)
    return sessions.filter(Q(Exists(held)))
