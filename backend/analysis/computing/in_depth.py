"""State of the tables in depth of a closed study: which worker computes them, its progress, and its results.

    ask -> claim -> (progress ...) -> finish
                                  \\-> fail -> claim, after a pause
                                           \\-> start_again, after the last attempt

A lease (`lib.leases`) on the row of each result ensures that only one worker computes it. `resume` retries after a
lost message or a killed worker.
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

# attempts per result, those of killed workers included
ATTEMPTS = 3
# after the first failure, and after the second
PAUSES = (timedelta(minutes=1), timedelta(minutes=5))
KILLED = (
    f"The worker ended {ATTEMPTS} times before it had computed the tables in depth, possibly because memory ran out; "
    "see the log of the worker in-depth."
)
# time after which the message for a queued result is sent again, in case it was lost
UNANSWERED = timedelta(seconds=60)


def ask(study: Study, now: datetime) -> None:
    """Request the tables in depth of the latest result, for each origin, if the study is closed.

    Changes nothing if they are done, failed, being computed or waiting for the next attempt.
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
    """Retry tables that failed, with as many attempts again; changes nothing if none failed or the study is open.

    For an open study they are computed when it is closed.
    """
    if in_field(study):
        return
    failed = InDepthResult.objects.filter(Result.current("result__"), result__snapshot__study=study)
    if failed.filter(state=InDepthState.FAILED).delete()[0]:
        ask(study, now)


def resume(now: datetime) -> None:
    """Request tables of closed studies that were never requested, or whose message or worker was lost."""
    settled = InDepthResult.objects.filter(result=OuterRef("pk")).exclude(_lost(now) | _outdated())
    latest = Result.objects.filter(Result.current(), snapshot=OuterRef("result__snapshot"))
    still_open = Fielding.objects.filter(study=OuterRef("study")).exclude(state=FieldingState.CLOSED)
    due = AnalysisState.objects.filter(Result.current("result__"), Exists(latest.exclude(Exists(settled))))
    due = due.exclude(Exists(still_open))
    for state in due.select_related("study"):
        ask(state.study, now)


def _queue(result: Result, now: datetime) -> bool:
    """Queue the result if it needs a worker; returns whether one must be called."""
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
    """Take the lease, unless the result is done, failed, waiting for its next attempt, or leased to another worker."""
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


def progress(lease: Lease, *, part: str, parts_done: int, parts: int, now: datetime) -> None:
    """Store which part begins. Like `finish` and `fail`, raises LostLeaseError if the lease is no longer ours.

    The lease is lost if the result was superseded or erased, or another worker has taken over.
    """
    lease.keep(now, part=part, parts_done=parts_done, parts=parts)


def finish(
    lease: Lease, *, tables: Mapping[str, Sequence[Any]], hypotheses: Sequence[Mapping[str, Any]], now: datetime
) -> None:
    """Publish the tables."""
    content = {"tables": tables, "hypotheses": hypotheses, "fields_sha256": IN_DEPTH_FIELDS}
    lease.end(**content, state=InDepthState.DONE, moved_at=now, finished_at=now, part="")


def fail(lease: Lease, *, error: str, now: datetime) -> None:
    """Queue another attempt after a pause; after the last one, store the failure with its message."""
    attempts = lease.row.values_list("attempts", flat=True).first() or 0
    if attempts < ATTEMPTS:
        lease.end(state=InDepthState.QUEUED, not_before=now + PAUSES[attempts - 1], moved_at=now, part="")
    else:
        lease.end(state=InDepthState.FAILED, error=error, moved_at=now, finished_at=now)


def withdraw(result_id: int) -> None:
    """Delete a queued request, for example after its study was opened again; closing the study requests it again."""
    _row(result_id).filter(state=InDepthState.QUEUED).delete()


def done_of(result: Result) -> InDepthResult | None:
    """The tables in depth of the result, if they are done and the study is closed."""
    deep = in_depth_of(result)
    return deep if deep is not None and deep.state == InDepthState.DONE else None


def in_depth_of(result: Result) -> InDepthResult | None:
    """The tables in depth of the result in any state; None while the study is in the field.

    Also None if they were never requested, or were stored by another version of the program.
    """
    if in_field(result.snapshot.study):
        return None
    return _row(result.pk).exclude(_outdated()).first()


def _lost(now: datetime) -> Q:
    return Q(state=InDepthState.QUEUED, moved_at__lte=now - UNANSWERED) & _due(now) | _stalled(now)


def _outdated() -> Q:
    """Tables with other columns, stored by another version of the program."""
    return Q(state=InDepthState.DONE) & ~Q(fields_sha256=IN_DEPTH_FIELDS)


def _due(now: datetime) -> Q:
    return Q(not_before=None) | Q(not_before__lte=now)


def _stalled(now: datetime) -> Q:
    return Q(state=InDepthState.RUNNING) & is_free(now)


def _row(result_id: int) -> QuerySet[InDepthResult]:
    return InDepthResult.objects.filter(result=result_id)
