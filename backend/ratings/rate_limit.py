"""Limits beginnings without storing IP addresses, and takes assignments back from sessions without progress.

`in_turn` bounds the beginnings at work in this process, so that votes always find a thread; `check_pace` bounds those
of a minute. `make_room` takes assignments of sessions whose time is over (`eyelevel_core.assignment.lease`). They may
still go on, and what they send late is stored. Whoever is sent away gets 429 `busy`, and the page tries again.
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

# twice the 500 that must all be in within two minutes; at 10 trials each, about 6 MB of rows
PER_MINUTE = 1000
# beginnings at work in one process; more would only wait for the processor
AT_ONCE = 3
LOCK_TIMEOUT_MS = 500
SHORTEST_WAIT_S, LONGEST_WAIT_S = 2, 60

_turns = threading.BoundedSemaphore(AT_ONCE)


@contextmanager
def in_turn() -> Iterator[None]:
    """Raise Problem 429 `busy` at once if AT_ONCE beginnings are at work in this process."""
    if not _turns.acquire(blocking=False):
        raise busy(timedelta())
    try:
        yield
    finally:
        _turns.release()


@contextmanager
def short_waits() -> Iterator[None]:
    """A transaction that raises Problem 429 `busy` after LOCK_TIMEOUT_MS for a lock: who waits occupies a thread."""
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
    """Those in which some session holds an assignment that it has to yield to new sessions, now or soon."""
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
    """Release the slots of sessions whose time is over; the fielding's row must be locked.

    Raises Problem 429 `busy` if no slot can be released yet, but one can soon.
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
    """Those whose time is over, where somebody else wants their assignment."""
    return sessions.filter(Q(lease_until__lt=now) | Q(yields_at__lt=now))


def _yielding(sessions: QuerySet[Session]) -> QuerySet[Session]:
    """Those without progress, which yield their assignment soon; whoever makes progress may keep it."""
    return sessions.filter(yields_at__lte=F("started_at") + LONGEST_GRACE)


def _holding(sessions: QuerySet[Session]) -> QuerySet[Session]:
    held = Trial.objects.filter(session=OuterRef("pk"), slot__isnull=False)
    return sessions.filter(Q(Exists(held)))
