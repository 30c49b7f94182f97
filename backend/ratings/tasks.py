"""Celery tasks of ratings, started by beat."""

from celery import shared_task

from ratings import sessions


@shared_task  # type: ignore[untyped-decorator]  # celery publishes no types
def release_abandoned_slots() -> None:
    sessions.release_abandoned()
