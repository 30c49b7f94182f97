"""`manage.py prepare`: upgrades the data and repeats missing erasures; run it before the web server."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from backups.errors import BackupError
from backups.upgrade import upgrade


class Command(BaseCommand):
    help = "Make a restore point and upgrade the data, then repeat erasures that a restored database lacks."

    def handle(self, *_args: Any, **_options: Any) -> None:
        try:
            upgrade(self.stdout.write)
        except BackupError as error:
            raise CommandError(str(error)) from None
        call_command("replay_erasures", stdout=self.stdout)
