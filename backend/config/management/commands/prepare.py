"""`manage.py prepare`: migrates the database and repeats missing erasures; run it before the web server starts."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "Migrate the database, then repeat the erasures of the ledger that a restored database lacks."

    def handle(self, *_args: Any, **_options: Any) -> None:
        call_command("migrate", interactive=False, stdout=self.stdout)
        call_command("replay_erasures", stdout=self.stdout)
