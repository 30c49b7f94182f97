"""`manage.py erase_participant --code XXXXXXXXXX`: erases all data about a participant."""

import uuid
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from lib.counted import counted
from privacy import planner_statistics
from privacy.erasure import erase
from privacy.erasure_ledger import LedgerError
from privacy.models import By
from ratings.models import Session


class Command(BaseCommand):
    help = "Erase a participant, identified by completion code or session id."

    def add_arguments(self, parser: CommandParser) -> None:
        group = parser.add_mutually_exclusive_group(required=True)
        group.add_argument("--code", help="completion code of the participant")
        group.add_argument("--session", type=uuid.UUID, help="id of the session, as in votes.csv")

    def handle(self, *_args: Any, code: str | None, session: uuid.UUID | None, **_options: Any) -> None:
        wanted = {"completion_code": code} if code else {"id": session}
        row = Session.objects.but_previews().select_related("participant").filter(**wanted).first()
        if row is None:
            raise CommandError(f"No session has the {'code' if code else 'id'} {code or session}; check its spelling.")
        try:
            erasure = erase(row.participant, by=By.ADMIN).erasure
        except LedgerError as error:
            raise CommandError(str(error)) from None
        planner_statistics.refresh()
        self.stdout.write(f"The participant and {counted(erasure.votes, 'vote')} were erased.")
        for export in erasure.exports:
            self.stdout.write(f"Export {export} contains their answers; its holder must delete it.")
