"""Celery tasks of stimuli, started by beat."""

from celery import shared_task

from stimuli import blobs, uploads


@shared_task  # type: ignore[untyped-decorator]  # celery publishes no types
def drop_stale_batches() -> None:
    """Clean up after senders that went away."""
    uploads.drop_stale()
    blobs.sweep_incoming(older_than_s=uploads.STALE_AFTER.total_seconds())
