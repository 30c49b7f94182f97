"""`manage.py replay_erasures`: after a restore, erase again who is in the ledger; the web server does it first."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from privacy.erasure_ledger import LedgerError
from privacy.restore import replay


class Command(BaseCommand):
    help = "Erase again everyone whom the ledger names and the database has back, as after a restore."

    def handle(self, *_args: Any, **_options: Any) -> None:
        try:
            self.stdout.write(str(replay()))
        except LedgerError as error:
            raise CommandError(str(error)) from None
