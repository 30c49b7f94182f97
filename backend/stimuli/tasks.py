"""Celery tasks of stimuli; each calls one function."""

from celery import shared_task
from django.utils import timezone

from lib import retention
from stimuli import blobs, commits, probes, uploads


@shared_task  # type: ignore[untyped-decorator]  # celery publishes no types
def drop_stale_batches() -> None:
    """Delete abandoned uploads, and files that a backup or a kill left; started by beat."""
    uploads.sweep_stale(timezone.now(), delete=True)
    blobs.sweep_incoming(older_than_s=retention.period_of("uploads").total_seconds())


@shared_task(name="stimuli.tasks.probe_videos")  # type: ignore[untyped-decorator, unused-ignore]  # Celery publishes no types
def probe_videos() -> None:
    """Probe videos that have arrived; also started by beat, for lost messages and killed workers."""
    probes.probe_waiting()


@shared_task(name="stimuli.tasks.commit_batch")  # type: ignore[untyped-decorator, unused-ignore]  # Celery publishes no types
def commit_batch(sha256: str) -> None:
    """Check a batch, and show or reject it; a long check continues in another task, so that each ends in time."""
    if commits.run(sha256):
        commit_batch.delay(sha256)


@shared_task(name="stimuli.tasks.resume_commits")  # type: ignore[untyped-decorator, unused-ignore]  # Celery publishes no types
def resume_commits() -> None:
    """Queue commits again whose message or worker was lost; started by beat."""
    for sha256 in commits.pending():
        commit_batch.delay(sha256)
