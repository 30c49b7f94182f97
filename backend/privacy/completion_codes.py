"""Completion codes that people type in: found without telling guessers more than yes or no, and not too often."""

from datetime import datetime, timedelta
from time import monotonic, sleep

from django.db.models import QuerySet
from django.utils import timezone

from lib.problems import Problem
from privacy.models import FailedCode
from ratings.models import Session

# one bucket for everybody: whom a guess comes from is not stored. Codes have 49 bits
FAILURES = 60
WINDOW = timedelta(minutes=10)
# every answer takes so long, whatever was found
FLOOR_S = 0.3


def session_of(code: str) -> Session:
    """The session with this completion code, however it was typed.

    Raises Problem 404 `unknown_code` alike for a code that never was, one that is erased and one that is no code, and
    429 `too_many_codes` after too many of these, whoever sent them.
    """
    # whoever is refused learns nothing of the code, and holds up nobody
    _check_failures()
    begun = monotonic()
    try:
        return _find(code)
    finally:
        sleep(max(0.0, FLOOR_S - (monotonic() - begun)))


def old_failures(now: datetime) -> QuerySet[FailedCode]:
    """Those that count against nobody any more."""
    return FailedCode.objects.filter(failed_at__lt=now - WINDOW)


def _check_failures() -> None:
    now = timezone.now()
    if FailedCode.objects.filter(failed_at__gt=now - WINDOW).count() >= FAILURES:
        raise Problem(
            429, "too_many_codes", "Too many codes were tried that do not exist; wait ten minutes.", retry=True
        )


def _find(code: str) -> Session:
    typed = "".join(code.split()).replace("-", "").upper()
    found = Session.objects.select_related("participant", "fielding__study").filter(completion_code=typed).first()
    if found is None:
        now = timezone.now()
        old_failures(now).delete()
        FailedCode.objects.create(failed_at=now)
        raise Problem(404, "unknown_code", "There is no session with this code; check the letters.")
    return found
