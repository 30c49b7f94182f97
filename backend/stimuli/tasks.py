"""Celery tasks of stimuli; each calls one function."""

from celery import shared_task
from django.utils import timezone

from lib import retention
from stimuli import blobs, commits, probes, uploads


@shared_task  # type: ignore[untyped-decorator]  # celery publishes no types
def drop_stale_batches() -> None:
    """Clean up after senders that went away, and what a backup or a kill kept."""
    uploads.sweep_stale(timezone.now(), delete=True)
    blobs.sweep_incoming(older_than_s=retention.kept("uploads").total_seconds())


@shared_task(name="stimuli.tasks.probe_videos")  # type: ignore[untyped-decorator, unused-ignore]  # Celery publishes no types
def probe_videos() -> None:
    """A video arrived; and beat's safety net, as messages get lost and workers are killed in the middle of a job."""
    probes.probe_waiting()


@shared_task(name="stimuli.tasks.commit_batch")  # type: ignore[untyped-decorator, unused-ignore]  # Celery publishes no types
def commit_batch(sha256: str) -> None:
    """Check a batch and show or refuse it; a long check goes on in another task, so that each ends in time."""
    if commits.run(sha256):
        commit_batch.delay(sha256)


@shared_task(name="stimuli.tasks.resume_commits")  # type: ignore[untyped-decorator, unused-ignore]  # Celery publishes no types
def resume_commits() -> None:
    """Beat's safety net for commits, for the same reasons."""
    for sha256 in commits.pending():
        commit_batch.delay(sha256)
