"""Tables in depth of a closed study: which worker computes them, how far it is, and what it found.

    ask -> claim -> (progress ...) -> finish
                                  \\-> fail -> claim, after a pause
                                           \\-> start_again, after the last attempt

A lease (`lib.leases`) on one row per result decides, so that two workers never both compute it. `resume` asks again
for what a lost message or a killed worker left behind.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from analysis.blinding import in_field
from analysis.models import AnalysisState, InDepthResult, InDepthState, Result, Snapshot
from analysis.signals import in_depth_wanted
from analysis.stored import IN_DEPTH_FIELDS
from lib.leases import Lease, is_free, take
from studies.models import Fielding, FieldingState, Study

# of workers at one result, the killed ones included
ATTEMPTS = 3
# after the first failure, and after the second
PAUSES = (timedelta(minutes=1), timedelta(minutes=5))
KILLED = (
    f"The worker ended {ATTEMPTS} times before the tables in depth were computed, perhaps for lack of memory; see the "
    "log of the worker in-depth."
)
# a queued one whose message may be lost is announced again after this time
UNANSWERED = timedelta(seconds=60)


def ask(study: Study, now: datetime) -> None:
    """Have the tables in depth of the latest result computed, for each origin, if the study is closed.

    Changes nothing where they are done, failed, under way or waiting for the next attempt.
    """
    if in_field(study):
        return
    state = AnalysisState.objects.select_related("result").filter(study=study).first()
    if state is None or state.shown is None:
        return
    same = Result.objects.filter(Result.current(), snapshot=state.shown.snapshot_id)
    # people's first
    for result in same.order_by("-origin"):
        if _queue(result, now):
            in_depth_wanted.send_robust(sender=InDepthResult, result_id=result.pk)


def start_again(study: Study, now: datetime) -> None:
    """Compute those that failed again, with as many attempts as before; changes nothing where none has failed.

    Nor while the study is open, since they are computed when it is closed.
    """
    if in_field(study):
        return
    failed = InDepthResult.objects.filter(Result.current("result__"), result__snapshot__study=study)
    if failed.filter(state=InDepthState.FAILED).delete()[0]:
        ask(study, now)


def resume(now: datetime) -> None:
    """Ask for those of closed studies that nobody has asked for, whose message is lost or whose worker is dead."""
    settled = InDepthResult.objects.filter(result=OuterRef("pk")).exclude(_lost(now) | _outdated())
    latest = Result.objects.filter(Result.current(), snapshot=OuterRef("result__snapshot"))
    still_open = Fielding.objects.filter(study=OuterRef("study")).exclude(state=FieldingState.CLOSED)
    due = AnalysisState.objects.filter(Result.current("result__"), Exists(latest.exclude(Exists(settled))))
    due = due.exclude(Exists(still_open))
    for state in due.select_related("study"):
        ask(state.study, now)


def _queue(result: Result, now: datetime) -> bool:
    """Whether a worker is to be called."""
    with transaction.atomic():
        # newer analyses and erasures delete results under the same lock
        if not Snapshot.objects.select_for_update().filter(pk=result.snapshot_id).exists():
            return False
        _row(result.pk).filter(_outdated()).delete()
        _, is_new = InDepthResult.objects.get_or_create(result=result, defaults={"moved_at": now})
        used_up = _row(result.pk).filter(_stalled(now), attempts__gte=ATTEMPTS)
        free: dict[str, Any] = {"moved_at": now, "lease_id": None, "lease_until": None}
        used_up.update(state=InDepthState.FAILED, error=KILLED, finished_at=now, **free)
        return is_new or bool(_row(result.pk).filter(_lost(now)).update(state=InDepthState.QUEUED, **free))


def claim(result_id: int, now: datetime) -> Lease | None:
    """Begin to compute, unless it is done, failed, waiting for its next attempt, or another worker is at it."""
    return take(
        _row(result_id),
        f"The computation of the tables in depth of result {result_id}",
        now,
        Q(state=InDepthState.QUEUED) & _due(now) | Q(state=InDepthState.RUNNING),
        Q(attempts__lt=ATTEMPTS),
        state=InDepthState.RUNNING,
        attempts=F("attempts") + 1,
        moved_at=now,
        started_at=now,
        part="",
        parts_done=0,
        parts=0,
    )


def progress(own: Lease, *, part: str, parts_done: int, parts: int, now: datetime) -> None:
    """Store which part begins. This, `finish` and `fail` raise LostLeaseError where the lease is no longer ours.

    It is lost where the result was superseded or erased, or another worker has taken over.
    """
    own.keep(now, part=part, parts_done=parts_done, parts=parts)


def finish(
    own: Lease, *, tables: Mapping[str, Sequence[Any]], hypotheses: Sequence[Mapping[str, Any]], now: datetime
) -> None:
    """Publish the tables."""
    found = {"tables": tables, "hypotheses": hypotheses, "fields_sha256": IN_DEPTH_FIELDS}
    own.end(**found, state=InDepthState.DONE, moved_at=now, finished_at=now, part="")


def fail(own: Lease, *, error: str, now: datetime) -> None:
    """Queue another attempt after a pause; after the last one, store the failure with one sentence for people."""
    attempts = own.row.values_list("attempts", flat=True).first() or 0
    if attempts < ATTEMPTS:
        own.end(state=InDepthState.QUEUED, not_before=now + PAUSES[attempts - 1], moved_at=now, part="")
    else:
        own.end(state=InDepthState.FAILED, error=error, moved_at=now, finished_at=now)


def withdraw(result_id: int) -> None:
    """Forget a queued one, such as one whose study was opened again; the next close asks again."""
    _row(result_id).filter(state=InDepthState.QUEUED).delete()


def done_of(result: Result) -> InDepthResult | None:
    """The tables in depth of the result, if they are done and the study is closed."""
    found = found_of(result)
    return found if found is not None and found.state == InDepthState.DONE else None


def found_of(result: Result) -> InDepthResult | None:
    """The tables in depth of the result in whatever state; None while the study is in the field.

    Those that nobody has asked for, or that another version of the program stored, count as not there.
    """
    if in_field(result.snapshot.study):
        return None
    return _row(result.pk).exclude(_outdated()).first()


def _lost(now: datetime) -> Q:
    return Q(state=InDepthState.QUEUED, moved_at__lte=now - UNANSWERED) & _due(now) | _stalled(now)


def _outdated() -> Q:
    """Tables that another version of the program stored with other columns."""
    return Q(state=InDepthState.DONE) & ~Q(fields_sha256=IN_DEPTH_FIELDS)


def _due(now: datetime) -> Q:
    return Q(not_before=None) | Q(not_before__lte=now)


def _stalled(now: datetime) -> Q:
    return Q(state=InDepthState.RUNNING) & is_free(now)


def _row(result_id: int) -> QuerySet[InDepthResult]:
    return InDepthResult.objects.filter(result=result_id)
