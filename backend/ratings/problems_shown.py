"""Counts problems shown to participants by code, without storing who they were."""

import contextlib

from django.db import Error
from django.db.models import F
from django.http import HttpRequest
from django.utils import timezone

from lib.problems import Problem
from ratings.models import Origin, ProblemShown, Session
from studies.models import Fielding

# maximum per link, code and day, so that a flood of requests stops writing
MOST_TIMES = 1000
_KEY = "eyelevel.fielding"


def belongs_to(request: HttpRequest, fielding: Fielding, session: Session | None = None) -> None:
    """Record the fielding of this request, so that its problem is counted; not for previews and simulated sessions."""
    if session is None or session.origin == Origin.PERSON:
        request.META[_KEY] = fielding.pk


def count(request: HttpRequest, problem: Problem) -> None:
    """Count a problem of a participant's request, unless the page retries the request automatically."""
    fielding = request.META.get(_KEY)
    if fielding is None or (problem.retry and problem.status < 500):
        return
    # a failure to count must not affect the response
    with contextlib.suppress(Error):
        _add(fielding, problem.code)


def count_code(fielding: Fielding, code: str) -> None:
    """Count a problem that a page shows before anything is sent, such as a link without an id."""
    _add(fielding.pk, code)


def _add(fielding: int, code: str) -> None:
    row, _ = ProblemShown.objects.get_or_create(fielding_id=fielding, code=code, day=timezone.now().date())
    ProblemShown.objects.filter(pk=row.pk, times__lt=MOST_TIMES).update(times=F("times") + 1)
