"""What beat starts."""

from celery import shared_task

from stimuli import receive, store


@shared_task  # type: ignore[untyped-decorator]  # celery publishes no types
def drop_stale_batches() -> None:
    """Clean up after senders that went away."""
    receive.drop_stale()
    store.sweep_incoming(older_than_s=receive.STALE_AFTER.total_seconds())
