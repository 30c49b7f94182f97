"""Rate limit of new sessions without storing IP addresses, and release of idle quota slots.

A new session keeps its quota slots for a short first lease; the first answer or play extends it to the study's lease.
If no slot is open, sessions without activity for GRACE release theirs to a new session. They may still go on, and
what they send late is stored. A client that starts sessions in a loop therefore blocks a study for GRACE, not hours.
"""

import math
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet

from lib.problems import Problem
from ratings import slots
from ratings.models import PersonAnswers, Play, Session, SessionState, Trial, Vote
from ratings.tombstones import living
from studies.models import Fielding

FIRST_LEASE = timedelta(minutes=5)
GRACE = timedelta(minutes=2)
# sessions started per minute without activity: more than a lecture hall needs, too few to fill a disk
PER_MINUTE = 300
SHORTEST_WAIT_S, LONGEST_WAIT_S = 5, 60


def without_sign(fielding: Fielding) -> QuerySet[Session]:
    """Running sessions without activity: no answer to a question, no play, no vote."""
    return Session.objects.but_previews().filter(
        ~Exists(PersonAnswers.objects.filter(session=OuterRef("pk"))),
        ~Exists(Play.objects.filter(trial__session=OuterRef("pk"))),
        ~Exists(Vote.objects.filter(session=OuterRef("pk"))),
        fielding=fielding,
        state=SessionState.STARTED,
    )


def may_free_slots(fielding: Fielding) -> bool:
    """Whether a session without activity keeps a quota slot."""
    return _holding(without_sign(fielding)).exists()


def check_pace(fielding: Fielding, *, now: datetime) -> None:
    """Raise Problem 429 `busy` if too many sessions started in the last minute; the fielding's row must be locked."""
    minute = timedelta(minutes=1)
    lately = without_sign(fielding).filter(started_at__gt=now - minute).order_by("started_at")
    begun = list(lately.values_list("started_at", flat=True)[:PER_MINUTE])
    if len(begun) == PER_MINUTE:
        raise busy(living(begun[0]) + minute - now)


def make_room(fielding: Fielding, *, now: datetime) -> None:
    """Release quota slots of expired sessions and of sessions without activity; the fielding's row must be locked.

    Raises Problem 429 `busy` if no slot can be released yet, but one can soon.
    """
    over = Session.objects.filter(state=SessionState.STARTED, lease_until__lt=now)
    silent = without_sign(fielding).filter(started_at__lt=now - GRACE)
    if slots.release(fielding, _holding(over)) + slots.release(fielding, _holding(silent)):
        return
    oldest = _holding(without_sign(fielding)).order_by("started_at").first()
    if oldest is not None:
        raise busy(living(oldest.started_at) + GRACE - now)


def busy(wait: timedelta) -> Problem:
    seconds = min(LONGEST_WAIT_S, max(SHORTEST_WAIT_S, math.ceil(wait.total_seconds())))
    message = f"Many people are starting now; try again in {seconds} s."
    return Problem(429, "busy", message, retry=True, details={"retry_after_s": seconds})


def _holding(sessions: QuerySet[Session]) -> QuerySet[Session]:
    held = Trial.objects.filter(session=OuterRef("pk"), slot__isnull=False)
    return sessions.filter(Q(Exists(held)))
