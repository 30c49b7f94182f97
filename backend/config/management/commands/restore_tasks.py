"""`manage.py restore_tasks`: before a worker starts, put back what a killed one had taken."""

from typing import Any

from django.core.management.base import BaseCommand

from config.celery import restore_unacknowledged


class Command(BaseCommand):
    help = "Put tasks back that a killed worker had taken."
    requires_system_checks = ()

    def handle(self, *_args: Any, **_options: Any) -> None:
        self.stdout.write(f"{restore_unacknowledged()} tasks put back.")
