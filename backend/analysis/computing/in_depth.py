"""State of the tables in depth of a closed study: which worker computes them, its progress, and its results.

    ask -> claim -> (progress ...) -> finish
                                  \\-> fail -> claim, after a pause
                                           \\-> start_again, after the last attempt

A lease (`lib.leases`) on the row of each result ensures that only one worker computes it. `resume` retries after a
lost message or a killed worker.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from analysis.blinding import in_field
from analysis.models import AnalysisState, InDepthResult, InDepthState, Result, Snapshot
from analysis.signals import in_depth_wanted
from analysis.stored import IN_DEPTH_FIELDS
from lib import queued_jobs
from lib.leases import Lease
from studies.models import Fielding, FieldingState, Study

KILLED = (
    f"The worker ended {queued_jobs.ATTEMPTS} times before it had computed the tables in depth, possibly because "
    "memory ran out; see the log of the worker in-depth."
)


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
    settled = InDepthResult.objects.filter(result=OuterRef("pk")).exclude(queued_jobs.is_lost(now) | _outdated())
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
        queued_jobs.fail_used_up(_row(result.pk), now, error=KILLED)
        return is_new or queued_jobs.queue_again(_row(result.pk), now)


def claim(result_id: int, now: datetime) -> Lease | None:
    """Take the lease, unless the result is done, failed, waiting for its next attempt, or leased to another worker."""
    what = f"The computation of the tables in depth of result {result_id}"
    return queued_jobs.claim(_row(result_id), what, now, part="", parts_done=0, parts=0)


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
    queued_jobs.fail(lease, now, at_end={"error": error}, part="")


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


def _outdated() -> Q:
    """Tables with other columns, stored by another version of the program."""
    return Q(state=InDepthState.DONE) & ~Q(fields_sha256=IN_DEPTH_FIELDS)


def _row(result_id: int) -> QuerySet[InDepthResult]:
    return InDepthResult.objects.filter(result=result_id)
