"""Celery tasks of studies; each calls one function."""

from celery import shared_task

from studies.stored_counts import count_due


@shared_task(name="studies.tasks.count_large_studies")  # type: ignore[untyped-decorator, unused-ignore]  # Celery publishes no types
def count_large_studies() -> None:
    """Compute the stored counts of large studies; started by beat."""
    count_due()
