"""Counts what participants could not do, by the code of the problem, without storing who they were."""

import contextlib

from django.db import Error
from django.db.models import F
from django.http import HttpRequest
from django.utils import timezone

from lib.problems import Problem
from ratings.models import Origin, ProblemShown, Session
from studies.models import Fielding

# per link, code and day: enough to see it, and a flood of requests writes no more rows
MOST_TIMES = 1000
_KEY = "eyelevel.fielding"


def belongs_to(request: HttpRequest, fielding: Fielding, session: Session | None = None) -> None:
    """Note whose request this is, so that a problem is counted; previews and simulated sessions are not."""
    if session is None or session.origin == Origin.PERSON:
        request.META[_KEY] = fielding.pk


def count(request: HttpRequest, problem: Problem) -> None:
    """Count a problem of a participant's request. What the page tries again by itself is not counted."""
    fielding = request.META.get(_KEY)
    if fielding is None or (problem.retry and problem.status < 500):
        return
    # an answer about a problem does not wait for the count of it
    with contextlib.suppress(Error):
        _add(fielding, problem.code)


def count_code(fielding: Fielding, code: str) -> None:
    """Count a problem that a page shows before anything is sent, such as a link without an id."""
    _add(fielding.pk, code)


def _add(fielding: int, code: str) -> None:
    row, _ = ProblemShown.objects.get_or_create(fielding_id=fielding, code=code, day=timezone.now().date())
    ProblemShown.objects.filter(pk=row.pk, times__lt=MOST_TIMES).update(times=F("times") + 1)
