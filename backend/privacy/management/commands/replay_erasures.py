"""`manage.py replay_erasures`: repeats the erasures of the ledger after a restore; `prepare` runs it at start."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from privacy.erasure_ledger import LedgerError
from privacy.restore import replay


class Command(BaseCommand):
    help = "Repeat the erasures of the ledger that a restored database lacks."

    def handle(self, *_args: Any, **_options: Any) -> None:
        try:
            self.stdout.write(str(replay()))
        except LedgerError as error:
            raise CommandError(str(error)) from None
