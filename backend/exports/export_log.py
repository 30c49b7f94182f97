"""Export log: records each export before it is sent, and finds the exports that contain a session."""

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from analysis.models import AnalysisState, Result, ResultOrigin, Snapshot
from analysis.origins import of_origin
from exports.models import Export
from lib.problems import Problem
from studies.models import Study

TRIES = 5


def hand_out(study: Study, origin: ResultOrigin, *, user: User) -> tuple[Result, Result] | None:
    """The study's latest result and that of `origin`, their snapshot kept and the export recorded.

    None where there is no result yet; Problem 503 where there is none just now.

    Recorded before a byte of it is read, so that an erasure names every export that holds what it erases.
    """
    for _ in range(TRIES):
        state = AnalysisState.objects.select_related("result__snapshot__study").filter(study=study).first()
        if state is None or state.result is None:
            return None
        if state.shown is None:
            message = "The results are being computed again after an update of the platform; try again in a minute."
            raise Problem(503, "recomputing", message, retry=True)
        with transaction.atomic():
            # a newer run or an erasure may have removed it by now
            snapshot = Snapshot.objects.select_for_update().filter(pk=state.result.snapshot_id).first()
            if snapshot is None:
                continue
            own = of_origin(state.result, origin)
            if own is None:
                raise Problem(503, "busy", "The results were replaced just now; try again.", retry=True)
            now = timezone.now()
            Snapshot.objects.filter(pk=snapshot.pk).update(exported_at=now)
            Export.objects.create(
                study=study,
                snapshot_sha256=snapshot.pk,
                votes=snapshot.votes,
                sessions=snapshot.sessions,
                session_ids=snapshot.session_ids,
                exported_by=user,
                exported_at=now,
            )
        return state.result, own
    raise Problem(503, "busy", "Results follow each other too fast just now; try again.", retry=True)


def exports_with(studies: Sequence[str], sessions: Sequence[UUID]) -> list[UUID]:
    """The exports of these studies that hold one of the sessions."""
    return list(
        Export.objects.filter(session_ids__overlap=list(sessions), study__in=studies).values_list("pk", flat=True)
    )
