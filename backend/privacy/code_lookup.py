"""Looks up completion codes; limits guesses, and answers in constant time."""

from datetime import datetime, timedelta
from time import monotonic, sleep

from django.db.models import QuerySet
from django.utils import timezone

from lib.problems import Problem
from privacy.models import FailedCode
from ratings.models import Session

# one limit for all visitors, because no IP address is stored; a code has 49 bits
FAILURES = 60
WINDOW = timedelta(minutes=10)
# minimum response time, for known and unknown codes
FLOOR_S = 0.3


def session_of(code: str) -> Session:
    """The session with this completion code; ignores case, spaces and hyphens.

    Raises Problem 404 `unknown_code` for an unknown, an erased or a malformed code, and 429 `too_many_codes` after too
    many of these from all visitors together.
    """
    # checked first, so that a rejected request learns nothing about the code and does not wait
    _check_failures()
    begun = monotonic()
    try:
        return _find(code)
    finally:
        sleep(max(0.0, FLOOR_S - (monotonic() - begun)))


def old_failures(now: datetime) -> QuerySet[FailedCode]:
    """Failures that no longer count."""
    return FailedCode.objects.filter(failed_at__lt=now - WINDOW)


def _check_failures() -> None:
    now = timezone.now()
    if FailedCode.objects.filter(failed_at__gt=now - WINDOW).count() >= FAILURES:
        message = "Too many unknown codes were entered; wait ten minutes, then try again."
        raise Problem(429, "too_many_codes", message, retry=True)


def _find(code: str) -> Session:
    typed = "".join(code.split()).replace("-", "").upper()
    session = Session.objects.select_related("participant", "fielding__study").filter(completion_code=typed).first()
    if session is None:
        now = timezone.now()
        old_failures(now).delete()
        FailedCode.objects.create(failed_at=now)
        raise Problem(404, "unknown_code", "No session has this code; check its letters and digits.")
    return session
