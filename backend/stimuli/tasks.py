"""Celery tasks of stimuli; each calls one function."""

from celery import shared_task

from stimuli import blobs, probes, uploads


@shared_task  # type: ignore[untyped-decorator]  # celery publishes no types
def drop_stale_batches() -> None:
    """Clean up after senders that went away."""
    uploads.drop_stale()
    blobs.sweep_incoming(older_than_s=uploads.STALE_AFTER.total_seconds())


@shared_task(name="stimuli.tasks.probe_videos")  # type: ignore[untyped-decorator, unused-ignore]  # Celery publishes no types
def probe_videos() -> None:
    """A video arrived; and beat's safety net, as messages get lost and workers are killed in the middle of a job."""
    probes.probe_waiting()
