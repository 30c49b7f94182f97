"""The life of an export: who asked for it, which worker makes it, how far it is, and until when its file stays.

    ask -> claim -> (progress ...) -> finish -> sweep_expired
                                  \\-> fail -> claim, after a pause
                                           \\-> failed, for good or after the last attempt

A lease (`lib.leases`) decides, so that two workers never both make one. `resume` calls for what a lost message or a
killed worker left behind. `exports.erasure` ends those that contain an erased participant.

What is logged of an export (unblinding, a look, the audit event) is logged when somebody asks for it, in the
transaction that adds the job: from then on no step needs the person again, and the file says what was known of
results by then. The export log, by which erasures name exports, is written when the file becomes available.
"""

from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q, QuerySet

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
from lib import retention
from lib.leases import Lease, LostLeaseError, is_free, take
from lib.problems import Problem, not_found
from studies.models import Study

TRIES = 5
# of workers at one export, the killed ones included
ATTEMPTS = 3
# after the first failure, and after the second
PAUSES = (timedelta(minutes=1), timedelta(minutes=5))
KILLED = (
    f"The worker ended {ATTEMPTS} times before the export was made, perhaps for lack of memory; see the log of the "
    "worker in-depth, and ask again."
)
OVER = "The file was deleted {days} days after it was made; ask for a new export."
MISSING = "The file is no longer in the store, for example after a restore; ask for a new export."
# a queued one whose message may be lost is announced again after this time
UNANSWERED = timedelta(seconds=60)
UNDER_WAY = (ExportState.QUEUED, ExportState.RUNNING)
# an export of a study of about this size takes about as long: at least and at most so many times the votes
SIMILAR = (0.5, 2.0)


def ask(study: Study, origin: ResultOrigin, *, user: User, now: datetime) -> ExportJob:
    """A job for the study's latest results; the same as before while that one is queued or running.

    Raises Problem 409 `no_results`, or 503 where there are none just now. The snapshot is kept from here on.
    """
    for _ in range(TRIES):
        found = _ask_once(study, origin, user=user, now=now)
        if found is not None:
            job, is_new = found
            if is_new:
                export_wanted.send_robust(sender=ExportJob, job_id=job.pk)
            return job
    raise Problem(503, "busy", "Results follow each other too fast just now; try again.", retry=True)


def _ask_once(study: Study, origin: ResultOrigin, *, user: User, now: datetime) -> tuple[ExportJob, bool] | None:
    """None where a newer run or an erasure has just removed the snapshot."""
    with transaction.atomic():
        # before the snapshot, as the deletion of a study locks them
        if not Study.objects.select_for_update(no_key=True).filter(pk=study.pk).exists():
            raise not_found(f"study {study.pk}")
        state = AnalysisState.objects.select_related("result__snapshot__study").filter(study=study).first()
        if state is None or state.result is None:
            raise Problem(409, "no_results", "The study has no results yet; there is something to export after a vote.")
        if state.shown is None:
            message = "The results are being computed again after an update of the platform; try again in a minute."
            raise Problem(503, "recomputing", message, retry=True)
        snapshot = Snapshot.objects.select_for_update().filter(pk=state.result.snapshot_id).first()
        if snapshot is None:
            return None
        if of_origin(state.result, origin) is None:
            raise Problem(503, "busy", "The results were replaced just now; try again.", retry=True)
        same = ExportJob.objects.filter(asked_by=user, snapshot_sha256=snapshot.pk, origin=origin, state__in=UNDER_WAY)
        if (before := same.select_related("study").first()) is not None:
            return before, False
        Snapshot.objects.filter(pk=snapshot.pk).update(exported_at=now)
        own = {"snapshot_sha256": snapshot.pk, "origin": origin, "votes": snapshot.votes}
        job = ExportJob.objects.create(study=study, asked_by=user, asked_at=now, moved_at=now, **own)
        # it has results by stack
        unblind(user, study)
        record_look(user, study, state.result, by="export")
        record(user, What.EXPORT, study, {"snapshot": snapshot.pk, "origin": origin})
        return job, True


def of(study: Study, user: User) -> QuerySet[ExportJob]:
    """The exports of this study that the user asked for, the newest first. Nobody sees those of others.

    Another researcher asks as well, which is logged; where both files have the same bytes, one is stored.
    """
    return ExportJob.objects.select_related("study").filter(study=study, asked_by=user)


def resume(now: datetime) -> None:
    """Call for those whose message is lost, whose worker is dead, or whose next attempt is due."""
    used_up = ExportJob.objects.filter(_stalled(now), attempts__gte=ATTEMPTS)
    free: dict[str, object] = {"moved_at": now, "lease_id": None, "lease_until": None}
    used_up.update(state=ExportState.FAILED, reason=Reason.KILLED, message=KILLED, finished_at=now, **free)
    for job in list(ExportJob.objects.filter(_lost(now)).values_list("pk", flat=True)):
        if _row(job).filter(_lost(now)).update(state=ExportState.QUEUED, **free):
            export_wanted.send_robust(sender=ExportJob, job_id=job)


def claim(job_id: UUID, now: datetime) -> Lease | None:
    """Begin to make it, unless it is done, failed, waiting for its next attempt, or another worker is at it."""
    return take(
        _row(job_id),
        f"The export {job_id}",
        now,
        Q(state=ExportState.QUEUED) & _due(now) | Q(state=ExportState.RUNNING),
        Q(attempts__lt=ATTEMPTS),
        state=ExportState.RUNNING,
        attempts=F("attempts") + 1,
        moved_at=now,
        started_at=now,
        step="",
        done=0,
        of=None,
        reason="",
        message="",
    )


def begin(own: Lease, step: Step, now: datetime) -> None:
    """Store which step begins. This, `progress`, `finish` and `fail` raise LostLeaseError without the lease.

    It is lost where a participant was erased, the study was deleted, or another worker has taken over.
    """
    own.keep(now, step=step, done=0, of=None, step_at=now)


def progress(own: Lease, *, done: int, of: int | None, now: datetime) -> None:
    own.keep(now, done=done, of=of)


def finish(own: Lease, job: ExportJob, *, file_sha256: str, size_bytes: int, now: datetime) -> None:
    """Make the file available and write the export log, unless its snapshot was deleted meanwhile (LostLeaseError)."""
    with transaction.atomic():
        # an erasure waits for this row, or has been here before us
        snapshot = Snapshot.objects.select_for_update().filter(pk=job.snapshot_sha256).first()
        if snapshot is None:
            raise LostLeaseError(f"{own.what}: its snapshot was deleted.")
        file = {
            "file_sha256": file_sha256,
            "size_bytes": size_bytes,
            "expires_at": now + retention.kept("export_files"),
        }
        own.end(**file, state=ExportState.DONE, moved_at=now, finished_at=now, step="", done=0, of=None)
        export_log.add(snapshot, job, now)


def fail(own: Lease, *, reason: Reason, message: str, for_good: bool, now: datetime) -> None:
    """Queue another attempt after a pause; after the last one, or `for_good`, store the failure."""
    attempts = own.row.values_list("attempts", flat=True).first() or 0
    ended: dict[str, object] = {
        "reason": reason,
        "message": message,
        "moved_at": now,
        "step": "",
        "done": 0,
        "of": None,
    }
    if attempts < ATTEMPTS and not for_good:
        own.end(state=ExportState.QUEUED, not_before=now + PAUSES[attempts - 1], **ended)
    else:
        own.end(state=ExportState.FAILED, finished_at=now, **ended)


def sweep_expired(now: datetime, delete: bool) -> int:
    """How many files are past their time; deletes them if `delete`."""
    due = ExportJob.objects.filter(state=ExportState.DONE, expires_at__lte=now)
    if not delete:
        return due.count()
    digests = list(due.values_list("file_sha256", flat=True))
    # first the rows, so that no download begins
    count = due.update(state=ExportState.EXPIRED, reason=Reason.OVER, message=over())
    files.drop_unused(digests)
    return count


def old_jobs(now: datetime) -> QuerySet[ExportJob]:
    """Jobs without a file whose time is over."""
    before = now - retention.kept("export_jobs")
    return ExportJob.objects.filter(state__in=(ExportState.FAILED, ExportState.EXPIRED), asked_at__lt=before)


def lose(job: ExportJob) -> None:
    """The file of a job that is done is not in the store, as after a restore."""
    done = _row(job.pk).filter(state=ExportState.DONE)
    done.update(state=ExportState.EXPIRED, reason=Reason.MISSING, message=MISSING)


def is_over(job: ExportJob, now: datetime) -> bool:
    """Whether a job that is done has expired, although no sweep has come yet."""
    return job.state == ExportState.DONE and job.expires_at is not None and job.expires_at <= now


def over() -> str:
    return OVER.format(days=retention.kept("export_files").days)


def seconds_left(job: ExportJob, now: datetime) -> float | None:
    """How long a running export will take; None where nobody knows.

    By what is packed already; before that by the last export of a study with about as many votes.
    """
    if job.state != ExportState.RUNNING or job.started_at is None or job.step_at is None:
        return None
    if job.of is not None:
        return (now - job.step_at).total_seconds() * (job.of - job.done) / job.done if job.done else None
    low, high = (factor * job.votes for factor in SIMILAR)
    made = ExportJob.objects.exclude(file_sha256="").filter(votes__gte=low, votes__lte=high, finished_at__isnull=False)
    last = made.order_by("-finished_at").first()
    if last is None or last.finished_at is None or last.started_at is None:
        return None
    left = (last.finished_at - last.started_at - (now - job.started_at)).total_seconds()
    return left if left > 0 else None


def result_of(job: ExportJob) -> Result | None:
    """The result to export; None where this version of the program has none of that snapshot any more."""
    people = Result.objects.select_related("snapshot__study").filter(
        Result.current(), snapshot=job.snapshot_sha256, origin=ResultOrigin.PERSON
    )
    found = people.first()
    return None if found is None else of_origin(found, ResultOrigin(job.origin))


def _lost(now: datetime) -> Q:
    return Q(state=ExportState.QUEUED, moved_at__lte=now - UNANSWERED) & _due(now) | _stalled(now)


def _due(now: datetime) -> Q:
    return Q(not_before=None) | Q(not_before__lte=now)


def _stalled(now: datetime) -> Q:
    return Q(state=ExportState.RUNNING) & is_free(now)


def _row(job_id: UUID) -> QuerySet[ExportJob]:
    return ExportJob.objects.filter(pk=job_id)
