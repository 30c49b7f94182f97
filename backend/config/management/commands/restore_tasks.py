"""`manage.py restore_tasks`: requeues the tasks that a killed worker had taken; run it before a worker starts."""

from typing import Any

from django.core.management.base import BaseCommand

from config.celery import restore_unacknowledged


class Command(BaseCommand):
    help = "Requeue tasks that a killed worker had taken."
    requires_system_checks = ()

    def handle(self, *_args: Any, **_options: Any) -> None:
        self.stdout.write(f"{restore_unacknowledged()} tasks requeued.")
