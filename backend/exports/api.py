"""Endpoint /api/research/studies/{sha256}/export-jobs: requests an export, reports its progress, and sends its file.

A file requires the account that requested it, or a token of that account. There are no signed URLs that work without an
account. An export contains all answers of all participants, and URLs end up in logs, chats and histories. The export
log could not name a person who uses the URL, and revoking a share or a token would not revoke it. Scripts have a token
in any case.
"""

from datetime import datetime
from uuid import UUID

from django.http import FileResponse, HttpRequest
from django.utils import timezone
from ninja import Router, Status

from accounts.permissions import account, reader
from exports import files, jobs
from exports.models import ExportJob, ExportState, Reason
from exports.schemas import ExportIn, ExportJobOut
from lib.problems import Problem, not_found
from lib.room import demand_reserve
from studies.models import Study
from studies.permissions import study_for

router = Router(tags=["results"])
RETRY_S = 2


@router.post("/research/studies/{sha256}/export-jobs", response={202: ExportJobOut}, auth=reader)
def post_export_job(request: HttpRequest, sha256: str, body: ExportIn) -> Status[dict[str, object]]:
    """Request an export of the latest results, which a worker makes; returns the previous request while it is open."""
    user = account(request)
    study = study_for(user, sha256, "export")
    demand_reserve("an export")
    now = timezone.now()
    return Status(202, _shown(study, jobs.ask(study, body.origin, user=user, now=now), now))


@router.get("/research/studies/{sha256}/export-jobs", response=list[ExportJobOut], auth=reader)
def export_jobs(request: HttpRequest, sha256: str) -> list[dict[str, object]]:
    """The caller's exports of the study, newest first."""
    user = account(request)
    study, now = study_for(user, sha256, "export"), timezone.now()
    return [_shown(study, job, now) for job in jobs.of(study, user)]


@router.get("/research/studies/{sha256}/export-jobs/{job_id}", response=ExportJobOut, auth=reader)
def export_job(request: HttpRequest, sha256: str, job_id: UUID) -> dict[str, object]:
    study, job = _requested_job(request, sha256, job_id)
    return _shown(study, job, timezone.now())


@router.get("/research/studies/{sha256}/export-jobs/{job_id}/file", auth=reader)
def export_file(request: HttpRequest, sha256: str, job_id: UUID) -> FileResponse:
    """The zip file; 503 with Retry-After until it is made, 410 after it has expired."""
    _, job = _requested_job(request, sha256, job_id)
    if job.state in jobs.UNDER_WAY:
        message = "The export is being made; try again in a moment."
        raise Problem(503, "not_ready", message, retry=True, details={"retry_after_s": RETRY_S})
    if job.state == ExportState.FAILED:
        raise Problem(409, "export_failed", job.message)
    if jobs.is_over(job, timezone.now()):
        raise Problem(410, "export_expired", jobs.over())
    if job.state == ExportState.EXPIRED:
        raise Problem(410, "export_expired", job.message)
    try:
        file = files.open_file(job.file_sha256)
    except FileNotFoundError:
        jobs.lose(job)
        raise Problem(410, "export_expired", jobs.MISSING) from None
    response = FileResponse(file, as_attachment=True, filename=job.file_name, content_type="application/zip")
    response["Content-Length"] = str(job.size_bytes)
    return response


def _requested_job(request: HttpRequest, sha256: str, job_id: UUID) -> tuple[Study, ExportJob]:
    user = account(request)
    study = study_for(user, sha256, "export")
    job = jobs.of(study, user).filter(pk=job_id).first()
    if job is None:
        raise not_found(f"export {job_id} that you requested for this study")
    return study, job


def _shown(study: Study, job: ExportJob, now: datetime) -> dict[str, object]:
    is_over = jobs.is_over(job, now)
    is_done = job.state == ExportState.DONE and not is_over
    same = ("id", "origin", "snapshot_sha256", "votes", "step", "done", "of", "asked_at", "finished_at", "expires_at")
    ended = {"reason": Reason.OVER, "message": jobs.over()} if is_over else {}
    return {
        **{name: getattr(job, name) for name in (*same, "reason", "message", "size_bytes")},
        **ended,
        "state": ExportState.EXPIRED if is_over else job.state,
        "seconds_left": jobs.seconds_left(job, now),
        "sha256": job.file_sha256 or None,
        "file": f"/api/research/studies/{study.pk}/export-jobs/{job.pk}/file" if is_done else None,
    }
