"""Celery tasks of exports; each calls one function."""

from uuid import UUID

from celery import shared_task
from django.utils import timezone

from exports import attempts, jobs, strays

SOFT_LIMIT_S = 14 * 60


# before the limit of all tasks, which would kill the worker's process and store no failure
@shared_task(name="exports.tasks.make_export", soft_time_limit=SOFT_LIMIT_S)  # type: ignore[untyped-decorator, unused-ignore]  # Celery publishes no types
def make_export(job_id: str) -> None:
    """Make a requested export, in the queue of tables in depth, because it may take minutes and gigabytes."""
    attempts.run_if_due(UUID(job_id), timezone.now)


@shared_task(name="exports.tasks.resume_exports")  # type: ignore[untyped-decorator, unused-ignore]  # Celery publishes no types
def resume_exports() -> None:
    """Queue exports again whose message or worker was lost, or whose next attempt is due; started by beat."""
    jobs.resume(timezone.now())


@shared_task(name="exports.tasks.drop_old_exports")  # type: ignore[untyped-decorator, unused-ignore]  # Celery publishes no types
def drop_old_exports() -> None:
    """Delete expired files, and stray files that were left by a crash or an unavailable store."""
    now = timezone.now()
    jobs.sweep_expired(now, delete=True)
    strays.drop_strays(now)
