"""Celery tasks of privacy, started by beat."""

from celery import shared_task
from django.utils import timezone

from privacy import retention


@shared_task(name="privacy.tasks.apply_retention")  # type: ignore[untyped-decorator, unused-ignore]  # Celery publishes no types
def apply_retention() -> None:
    retention.apply(timezone.now())
