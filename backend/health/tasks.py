"""Celery tasks of health; each calls one function."""

from celery import shared_task

from health import sending
from health.disk import take_sample


@shared_task(name="health.tasks.sample_disk")  # type: ignore[untyped-decorator, unused-ignore]  # Celery publishes no types
def sample_disk() -> None:
    """Store the free space of the disk, from which its growth is computed; started by beat every hour."""
    take_sample()


@shared_task(name="health.tasks.send_warnings")  # type: ignore[untyped-decorator, unused-ignore]  # Celery publishes no types
def send_warnings() -> None:
    """Send the warnings that were not sent within a day; started by beat every hour."""
    sending.send_warnings()
