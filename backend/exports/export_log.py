"""Export log: records each export before it can be downloaded, and finds the exports that contain a session."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from analysis.models import Snapshot
from exports.models import Export, ExportJob


def add(snapshot: Snapshot, job: ExportJob, now: datetime) -> None:
    """Record an export; call it in the transaction that makes the file available, with the snapshot's row locked."""
    Export.objects.create(
        study_id=job.study_id,
        snapshot_sha256=snapshot.pk,
        votes=snapshot.votes,
        sessions=snapshot.sessions,
        session_ids=snapshot.session_ids,
        exported_by=job.asked_by,
        exported_at=now,
    )


def exports_with(studies: Sequence[str], sessions: Sequence[UUID]) -> list[UUID]:
    """The exports of these studies that contain one of the sessions."""
    return list(
        Export.objects.filter(session_ids__overlap=list(sessions), study__in=studies).values_list("pk", flat=True)
    )
