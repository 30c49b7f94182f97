"""`manage.py erase_participant --code XXXXXXXXXX`: erase all that a participant left."""

import uuid
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from privacy.erasure import erase
from privacy.erasure_ledger import LedgerError
from privacy.models import By
from ratings.models import Session


class Command(BaseCommand):
    help = "Erase a participant, found by their completion code or by their session's id."

    def add_arguments(self, parser: CommandParser) -> None:
        group = parser.add_mutually_exclusive_group(required=True)
        group.add_argument("--code", help="the completion code that they were shown")
        group.add_argument("--session", type=uuid.UUID, help="the id of their session, as in votes.csv")

    def handle(self, *_args: Any, code: str | None, session: uuid.UUID | None, **_options: Any) -> None:
        wanted = {"completion_code": code} if code else {"id": session}
        found = Session.objects.but_previews().select_related("participant").filter(**wanted).first()
        if found is None:
            raise CommandError(f"There is no session {code or session}; check the letters.")
        try:
            erasure = erase(found.participant, by=By.ADMIN).erasure
        except LedgerError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"The participant is erased, with {erasure.votes} votes.")
        for export in erasure.exports:
            self.stdout.write(f"The export {export} holds their answers; whoever has it must delete it.")
