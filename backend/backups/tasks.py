"""Celery tasks of backups; each calls one function."""

from celery import shared_task

# it reads every file that the platform has
LIMIT_S = 6 * 3600


@shared_task(name="backups.tasks.drill", time_limit=LIMIT_S)  # type: ignore[untyped-decorator, unused-ignore]  # Celery publishes no types
def drill() -> None:
    """Verify once a week that a backup made now can be restored; the health page shows the outcome."""
    # the web processes import this module, and need neither Parquet nor figures
    from backups.scheduled import run_drill_if_due  # noqa: PLC0415

    run_drill_if_due()
