"""Completion codes that people type in: found without telling guessers more than yes or no, and not too often."""

from datetime import timedelta
from time import monotonic, sleep

from django.utils import timezone

from privacy.models import FailedCode
from problems import Problem
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
    begun = monotonic()
    try:
        return _find(code)
    finally:
        sleep(max(0.0, FLOOR_S - (monotonic() - begun)))


def _find(code: str) -> Session:
    now = timezone.now()
    if FailedCode.objects.filter(failed_at__gt=now - WINDOW).count() >= FAILURES:
        raise Problem(
            429, "too_many_codes", "Too many codes were tried that do not exist; wait ten minutes.", retry=True
        )
    typed = "".join(code.split()).replace("-", "").upper()
    found = Session.objects.select_related("participant", "fielding__study").filter(completion_code=typed).first()
    if found is None:
        FailedCode.objects.filter(failed_at__lt=now - WINDOW).delete()
        FailedCode.objects.create(failed_at=now)
        raise Problem(404, "unknown_code", "There is no session with this code; check the letters.")
    return found
