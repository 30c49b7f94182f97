"""Life cycle of an export: request, lease of a worker, progress, and expiry of the file.

    ask -> claim -> (progress ...) -> finish -> sweep_expired
                                  \\-> fail -> claim, after a pause
                                           \\-> failed, for good or after the last attempt

A lease (`lib.leases`) ensures that only one worker makes an export. `resume` retries after a lost message or a killed
worker. `exports.erasure` ends exports that contain an erased participant.

Unblinding, look and audit event of an export are recorded when it is requested, in the transaction that adds the job.
No later step needs the account, and the file lists the looks up to the request. The export log, by which erasures
find exports, is written when the file becomes available.
"""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from analysis.blinding import unblind
from analysis.models import AnalysisState, Result, ResultOrigin, Snapshot
from analysis.origins import of_origin
from analysis.showing.looks import record_look
from audit.log import record
from audit.models import What
from exports import export_log, files
from exports.models import ExportJob, ExportState, Reason, Step
from exports.signals import export_wanted
from lib import queued_jobs, retention
from lib.leases import Lease, LostLeaseError
from lib.problems import Problem, not_found
from studies.models import Study

TRIES = 5
KILLED = (
    f"The worker ended {queued_jobs.ATTEMPTS} times before it had made the export, possibly because memory ran out; "
    "see the log of the worker in-depth, then request the export again."
)
OVER = "The file was deleted {days} days after it was made; request a new export."
MISSING = "The file is no longer in the store, for example after a restore; request a new export."
UNDER_WAY = (ExportState.QUEUED, ExportState.RUNNING)
# no step is being done
NO_STEP: dict[str, Any] = {"step": "", "done": 0, "of": None}
# exports with at least and at most this multiple of the votes are assumed to take about as long
SIMILAR = (0.5, 2.0)


def ask(study: Study, origin: ResultOrigin, *, user: User, now: datetime) -> ExportJob:
    """Request an export of the study's latest results; returns the previous job while it is queued or running.

    Raises Problem 409 `no_results`, or 503 if results are temporarily unavailable. The snapshot is kept from then on.
    """
    for _ in range(TRIES):
        requested = _ask_once(study, origin, user=user, now=now)
        if requested is not None:
            job, is_new = requested
            if is_new:
                export_wanted.send_robust(sender=ExportJob, job_id=job.pk)
            return job
    raise Problem(503, "busy", "New results are replacing each other too fast; try again in a moment.", retry=True)


def _ask_once(study: Study, origin: ResultOrigin, *, user: User, now: datetime) -> tuple[ExportJob, bool] | None:
    """The job, and whether it is new; None if a newer run or an erasure has just removed the snapshot."""
    with transaction.atomic():
        # before the snapshot, as the deletion of a study locks them
        if not Study.objects.select_for_update(no_key=True).filter(pk=study.pk).exists():
            raise not_found(f"study {study.pk}")
        state = AnalysisState.objects.select_related("result__snapshot__study").filter(study=study).first()
        if state is None or state.result is None:
            raise Problem(409, "no_results", "The study has no results yet; request an export after the first vote.")
        if state.shown is None:
            message = "The results are being computed again after an update of the platform; try again in a minute."
            raise Problem(503, "recomputing", message, retry=True)
        snapshot = Snapshot.objects.select_for_update().filter(pk=state.result.snapshot_id).first()
        if snapshot is None:
            return None
        if of_origin(state.result, origin) is None:
            raise Problem(503, "busy", "The results have just been replaced; try again.", retry=True)
        same = ExportJob.objects.filter(asked_by=user, snapshot_sha256=snapshot.pk, origin=origin, state__in=UNDER_WAY)
        if (before := same.select_related("study").first()) is not None:
            return before, False
        Snapshot.objects.filter(pk=snapshot.pk).update(exported_at=now)
        fields = {"snapshot_sha256": snapshot.pk, "origin": origin, "votes": snapshot.votes}
        job = ExportJob.objects.create(study=study, asked_by=user, asked_at=now, moved_at=now, **fields)
        # an export contains results by stack
        unblind(user, study)
        record_look(user, study, state.result, by="export")
        record(user, What.EXPORT, study, {"snapshot": snapshot.pk, "origin": origin})
        return job, True


def of(study: Study, user: User) -> QuerySet[ExportJob]:
    """The exports of this study that the user requested, newest first; nobody sees those of other users.

    Another researcher makes a separate request, which is recorded. Files with the same bytes are stored once.
    """
    return ExportJob.objects.select_related("study").filter(study=study, asked_by=user)


def resume(now: datetime) -> None:
    """Queue jobs again whose message or worker was lost, or whose next attempt is due."""
    queued_jobs.fail_used_up(ExportJob.objects.all(), now, reason=Reason.KILLED, message=KILLED)
    for job in list(ExportJob.objects.filter(queued_jobs.is_lost(now)).values_list("pk", flat=True)):
        if queued_jobs.queue_again(_row(job), now):
            export_wanted.send_robust(sender=ExportJob, job_id=job)


def claim(job_id: UUID, now: datetime) -> Lease | None:
    """Take the lease, unless the job is done, failed, waiting for its next attempt, or leased to another worker."""
    return queued_jobs.claim(_row(job_id), f"The export {job_id}", now, **NO_STEP, reason="", message="")


def begin(lease: Lease, step: Step, now: datetime) -> None:
    """Store which step begins. Like `progress`, `finish` and `fail`, raises LostLeaseError if the lease was lost.

    The lease is lost if a participant was erased, the study was deleted, or another worker has taken over.
    """
    lease.keep(now, step=step, done=0, of=None, step_at=now)


def progress(lease: Lease, *, done: int, of: int | None, now: datetime) -> None:
    lease.keep(now, done=done, of=of)


def finish(lease: Lease, job: ExportJob, *, file_sha256: str, size_bytes: int, now: datetime) -> None:
    """Make the file available and write the export log, unless its snapshot was deleted meanwhile (LostLeaseError)."""
    with transaction.atomic():
        # an erasure waits for this row, or has locked it before
        snapshot = Snapshot.objects.select_for_update().filter(pk=job.snapshot_sha256).first()
        if snapshot is None:
            raise LostLeaseError(f"{lease.what}: its snapshot was deleted.")
        file = {
            "file_sha256": file_sha256,
            "size_bytes": size_bytes,
            "expires_at": now + retention.period_of("export_files"),
        }
        lease.end(**file, state=ExportState.DONE, moved_at=now, finished_at=now, **NO_STEP)
        export_log.add(snapshot, job, now)


def fail(lease: Lease, *, reason: Reason, message: str, for_good: bool, now: datetime) -> None:
    """Queue another attempt after a pause; after the last one, or if `for_good`, store the failure."""
    queued_jobs.fail(lease, now, for_good=for_good, reason=reason, message=message, **NO_STEP)


def sweep_expired(now: datetime, delete: bool) -> int:
    """Count expired files, and delete them if `delete`; returns their number."""
    due = ExportJob.objects.filter(state=ExportState.DONE, expires_at__lte=now)
    if not delete:
        return due.count()
    digests = list(due.values_list("file_sha256", flat=True))
    # rows first, so that no download begins
    count = due.update(state=ExportState.EXPIRED, reason=Reason.OVER, message=over())
    files.drop_unused(digests)
    return count


def old_jobs(now: datetime) -> QuerySet[ExportJob]:
    """Jobs without a file that are past their retention."""
    before = now - retention.period_of("export_jobs")
    return ExportJob.objects.filter(state__in=(ExportState.FAILED, ExportState.EXPIRED), asked_at__lt=before)


def lose(job: ExportJob) -> None:
    """Mark a done job as expired, because its file is missing in the store, as after a restore."""
    done = _row(job.pk).filter(state=ExportState.DONE)
    done.update(state=ExportState.EXPIRED, reason=Reason.MISSING, message=MISSING)


def is_over(job: ExportJob, now: datetime) -> bool:
    """Whether a done job has expired, even if its file has not been deleted yet."""
    return job.state == ExportState.DONE and job.expires_at is not None and job.expires_at <= now


def over() -> str:
    return OVER.format(days=retention.period_of("export_files").days)


def seconds_left(job: ExportJob, now: datetime) -> float | None:
    """Estimate the remaining time of a running export; None if unknown.

    Uses the share that is packed, or before that, the last export with a similar number of votes.
    """
    if job.state != ExportState.RUNNING or job.started_at is None or job.step_at is None:
        return None
    if job.of is not None:
        return (now - job.step_at).total_seconds() * (job.of - job.done) / job.done if job.done else None
    low, high = (factor * job.votes for factor in SIMILAR)
    similar = ExportJob.objects.exclude(file_sha256="").filter(
        votes__gte=low, votes__lte=high, finished_at__isnull=False
    )
    last = similar.order_by("-finished_at").first()
    if last is None or last.finished_at is None or last.started_at is None:
        return None
    left = (last.finished_at - last.started_at - (now - job.started_at)).total_seconds()
    return left if left > 0 else None


def result_of(job: ExportJob) -> Result | None:
    """The result to export; None if the snapshot has no result of this version of the program."""
    people = Result.objects.select_related("snapshot__study").filter(
        Result.current(), snapshot=job.snapshot_sha256, origin=ResultOrigin.PERSON
    )
    result = people.first()
    return None if result is None else of_origin(result, ResultOrigin(job.origin))


def _row(job_id: UUID) -> QuerySet[ExportJob]:
    return ExportJob.objects.filter(pk=job_id)
