"""Counts of everything that participants of a large study sent: the worker computes and stores them, pages read them.

A page of a small study counts when it is opened. A study is large once LARGE sessions have begun; from then on no
request reads all of its sessions, plays and votes.
"""

import time
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, OuterRef, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from lib.alone import alone
from studies.models import Assignment, Fielding, StoredCount, Study

LARGE = 1000
# between two countings, and at least so many times as long as the last one took
PAUSE = timedelta(seconds=15)
PAUSE_PER_RUN = 10
# any number of our own, beside that of `stimuli.blobs`
LOCK = 0x65796C63

Compute = Callable[[Study], Any]
_computed_by: dict[str, Compute] = {}


def provide(name: str, compute: Compute) -> None:
    """Called once for each count, when the app that computes it is ready; what it returns is stored as JSON."""
    _computed_by[name] = compute


def stored(name: str, studies: Collection[str]) -> dict[str, StoredCount]:
    """The last count of each large study; a small study is not listed."""
    found = StoredCount.objects.filter(name=name, study__in=studies)
    return {row.study_id: row for row in found}


def count_due(clock: Callable[[], datetime] = timezone.now) -> int:
    """Count what is due in every large study; returns how many counts were stored. One process at a time."""
    with alone(LOCK) as is_alone:
        return sum(_count_study(study, clock) for study in _large()) if is_alone else 0


def _large() -> list[Study]:
    own = Assignment.objects.filter(fielding=OuterRef("pk")).order_by().values("fielding")
    given = Coalesce(Subquery(own.annotate(times=Sum("times_given")).values("times")), 0)
    fieldings = Fielding.objects.annotate(begun_here=given + F("sessions_without_assignment") + F("sessions_simulated"))
    begun = fieldings.values("study").annotate(begun=Sum("begun_here")).filter(begun__gte=LARGE)
    return list(Study.objects.filter(pk__in=begun.values("study")))


def _count_study(study: Study, clock: Callable[[], datetime]) -> int:
    counted = 0
    last = {row.name: row for row in StoredCount.objects.filter(study=study)}
    for name, compute in _computed_by.items():
        now = clock()
        if name in last and now < last[name].counted_at + _pause(last[name]):
            continue
        begun = time.monotonic()
        value = compute(study)
        took_s = time.monotonic() - begun
        values = {"value": value, "counted_at": now, "took_s": took_s}
        StoredCount.objects.update_or_create(study=study, name=name, defaults=values)
        counted += 1
    return counted


def _pause(last: StoredCount) -> timedelta:
    return max(PAUSE, PAUSE_PER_RUN * timedelta(seconds=last.took_s))
