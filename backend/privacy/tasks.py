"""Celery tasks of privacy; each calls one function."""

from celery import shared_task
from django.utils import timezone

from privacy import planner_statistics, retention


@shared_task(name="privacy.tasks.apply_retention")  # type: ignore[untyped-decorator, unused-ignore]  # Celery publishes no types
def apply_retention() -> None:
    """Delete data past their retention; started by beat."""
    retention.apply(timezone.now())


@shared_task(name="privacy.tasks.refresh_statistics")  # type: ignore[untyped-decorator, unused-ignore]  # Celery publishes no types
def refresh_statistics() -> None:
    """Refresh planner statistics after a request that erased data."""
    planner_statistics.refresh()
