"""Stored counts over the rows of large studies, which the worker computes and pages read.

The counts of a small study are computed when a page is opened. A study is large once LARGE sessions have begun; from
then on, no request reads all of its sessions, plays and votes.
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
# pause between two counts, and its minimum as a multiple of the last count's duration
PAUSE = timedelta(seconds=15)
PAUSE_PER_RUN = 10
# an arbitrary number that no other lock uses (`stimuli.blobs`, `fieldwork.sending`)
LOCK = 0x65796C63

Compute = Callable[[Study], Any]
_computed_by: dict[str, Compute] = {}


def provide(name: str, compute: Compute) -> None:
    """Register a count, whose value is stored as JSON; call it once, when the app that computes it is ready."""
    _computed_by[name] = compute


def stored(name: str, studies: Collection[str]) -> dict[str, StoredCount]:
    """The last stored count of each large study; a small study is not listed."""
    return {row.study_id: row for row in StoredCount.objects.filter(name=name, study__in=studies)}


def count_due(clock: Callable[[], datetime] = timezone.now) -> int:
    """Compute the counts that are due in every large study; returns the number stored. One process at a time."""
    with alone(LOCK) as is_alone:
        return sum(_count_study(study, clock) for study in _large()) if is_alone else 0


def _large() -> list[Study]:
    assignments = Assignment.objects.filter(fielding=OuterRef("pk")).order_by().values("fielding")
    given = Coalesce(Subquery(assignments.annotate(times=Sum("times_given")).values("times")), 0)
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
