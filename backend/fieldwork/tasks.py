"""Celery tasks of studies in the field; each calls one function."""

from celery import shared_task

from fieldwork.sending import check_all


@shared_task(name="fieldwork.tasks.check_alerts")  # type: ignore[untyped-decorator, unused-ignore]  # Celery publishes no types
def check_alerts() -> None:
    """Raise, send and end alerts; started by beat every five minutes."""
    check_all()
