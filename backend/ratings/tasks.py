"""What beat starts."""

from celery import shared_task

from ratings import sessions


@shared_task
def release_abandoned_slots() -> None:
    sessions.release_abandoned()
