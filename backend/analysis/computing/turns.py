"""Scheduling of a study's analyses: requests are counted, and one worker at a time serves them.

    ask -> claim -> finish
                 \\-> give_up

The turn is a lease (`lib.leases`) on the study's row.
"""

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import F, Q, QuerySet

from analysis.models import AnalysisState, Result
from lib.leases import Lease, LostLeaseError, take
from studies.models import Study

# pause between two runs of the same study, because nobody reads results more often; after a long run this many times
# its duration, so that the analysis takes at most a tenth of one worker's time while votes arrive
PAUSE = timedelta(seconds=15)
PAUSE_PER_RUN = 9
# after a run that failed
PAUSE_AFTER_FAILURE = timedelta(seconds=60)


@dataclass(frozen=True)
class Turn:
    """The right to analyse a study; `wanted` is the number of requests that this run serves."""

    lease: Lease
    wanted: int
    since: datetime


def ask(study_sha256: str) -> None:
    """Request an analysis of all votes that are stored by now, unless the study was deleted."""
    if not Study.objects.filter(pk=study_sha256).exists():
        return
    AnalysisState.objects.get_or_create(study_id=study_sha256)
    _rows(study_sha256).update(wanted=F("wanted") + 1)


def ask_unless_wanted(study_sha256: str) -> None:
    """Request an analysis, unless one is already requested."""
    AnalysisState.objects.get_or_create(study_id=study_sha256)
    _rows(study_sha256).filter(wanted__lte=F("done")).update(wanted=F("wanted") + 1)


def claim(study_sha256: str, now: datetime) -> Turn | None:
    """Take the turn, if an analysis is requested, no worker runs one and the pause is over."""
    due = Q(not_before=None) | Q(not_before__lte=now)
    row = _rows(study_sha256)
    lease = take(row, f"The analysis of {study_sha256}", now, due, Q(wanted__gt=F("done")))
    return None if lease is None else Turn(lease, row.values_list("wanted", flat=True).get(), now)


def finish(turn: Turn, result: Result, now: datetime) -> timedelta:
    """Publish the result and free the turn; returns the pause until the next one. Raises LostLeaseError."""
    pause = max(PAUSE, PAUSE_PER_RUN * (now - turn.since))
    turn.lease.end(
        done=turn.wanted,
        result=result,
        votes_read=result.snapshot.votes,
        exclusions_read=result.snapshot.exclusions,
        verdicts_read=result.snapshot.verdicts,
        not_before=now + pause,
    )
    return pause


def give_up(turn: Turn, now: datetime) -> None:
    """Free the turn after a failure, unless another worker has it; the request remains."""
    with suppress(LostLeaseError):
        turn.lease.end(not_before=now + PAUSE_AFTER_FAILURE)


def _rows(study_sha256: str) -> QuerySet[AnalysisState]:
    return AnalysisState.objects.filter(study=study_sha256)
