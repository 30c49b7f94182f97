"""Tables in depth of a closed study: which worker computes them, how far it is, and what it found.

    ask -> claim -> (progress ...) -> finish
                                  \\-> fail

Conditional updates of one row per result decide, so that two workers never both compute it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import Q, QuerySet

from analysis.blinding import in_field
from analysis.models import AnalysisState, InDepthResult, InDepthState, Result, Snapshot
from analysis.signals import in_depth_wanted
from studies.models import Study

# a worker without progress for so long is taken for dead
STALLED = timedelta(minutes=10)
# a queued one whose message may be lost is announced again after this time
UNANSWERED = timedelta(seconds=60)


@dataclass(frozen=True)
class Claim:
    """The right to compute the tables in depth of a result."""

    result_id: int
    id: UUID


class LostClaimError(Exception):
    """The result was superseded or erased, or another worker has taken over."""


def ask(study: Study, now: datetime) -> None:
    """Have the tables in depth of the latest result computed, for each origin, if the study is closed.

    Changes nothing where they are done, failed or under way.
    """
    if in_field(study):
        return
    state = AnalysisState.objects.select_related("result").filter(study=study).first()
    if state is None or state.result is None:
        return
    latest = state.result
    same = Result.objects.filter(snapshot=latest.snapshot_id, method_version=latest.method_version)
    # people's first
    for result in same.order_by("-origin"):
        if _queue(result, now):
            in_depth_wanted.send_robust(sender=InDepthResult, result_id=result.pk)


def _queue(result: Result, now: datetime) -> bool:
    """Whether a worker is to be called."""
    with transaction.atomic():
        # newer analyses and erasures delete results under the same lock
        if not Snapshot.objects.select_for_update().filter(pk=result.snapshot_id).exists():
            return False
        _, is_new = InDepthResult.objects.get_or_create(result=result, defaults={"moved_at": now})
        lost = Q(state=InDepthState.QUEUED, moved_at__lte=now - UNANSWERED) | _stalled(now)
        return is_new or bool(_row(result.pk).filter(lost).update(state=InDepthState.QUEUED, moved_at=now))


def claim(result_id: int, now: datetime) -> Claim | None:
    """Begin to compute, unless it is done, failed, or another worker is at it."""
    own = Claim(result_id, uuid4())
    free = _row(result_id).filter(Q(state=InDepthState.QUEUED) | _stalled(now))
    taken = free.update(
        state=InDepthState.RUNNING, claim_id=own.id, moved_at=now, started_at=now, part="", parts_done=0, parts=0
    )
    return own if taken else None


def progress(own: Claim, *, part: str, parts_done: int, parts: int, now: datetime) -> None:
    """Store which part begins; raise LostClaimError where the claim is no longer ours."""
    _change(own, part=part, parts_done=parts_done, parts=parts, moved_at=now)


def finish(
    own: Claim, *, tables: Mapping[str, Sequence[Any]], hypotheses: Sequence[Mapping[str, Any]], now: datetime
) -> None:
    """Publish the tables; raise LostClaimError where the claim is no longer ours."""
    _change(own, state=InDepthState.DONE, tables=tables, hypotheses=hypotheses, moved_at=now, finished_at=now, part="")


def fail(own: Claim, *, error: str, now: datetime) -> None:
    """Store the failure, with one sentence for people; raise LostClaimError where the claim is no longer ours."""
    _change(own, state=InDepthState.FAILED, error=error, moved_at=now, finished_at=now)


def withdraw(result_id: int) -> None:
    """Forget a queued one, such as one whose study was opened again; the next close asks again."""
    _row(result_id).filter(state=InDepthState.QUEUED).delete()


def done_of(result: Result) -> InDepthResult | None:
    """The tables in depth of the result, if they are done and the study is closed."""
    if in_field(result.snapshot.study):
        return None
    return _row(result.pk).filter(state=InDepthState.DONE).first()


def _change(own: Claim, **values: Any) -> None:
    held = _row(own.result_id).filter(state=InDepthState.RUNNING, claim_id=own.id)
    if not held.update(**values):
        raise LostClaimError(f"The tables in depth of result {own.result_id} are no longer this worker's.")


def _stalled(now: datetime) -> Q:
    return Q(state=InDepthState.RUNNING, moved_at__lte=now - STALLED)


def _row(result_id: int) -> QuerySet[InDepthResult]:
    return InDepthResult.objects.filter(result=result_id)
