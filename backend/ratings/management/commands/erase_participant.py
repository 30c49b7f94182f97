"""`manage.py erase_participant --code XXXXXXXXXX`: delete all that a participant left."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ratings.erase import erase
from ratings.models import Participant


class Command(BaseCommand):
    help = "Erase a participant, found by their completion code or by their session's id."

    def add_arguments(self, parser: CommandParser) -> None:
        group = parser.add_mutually_exclusive_group(required=True)
        group.add_argument("--code", help="the completion code that they were shown")
        group.add_argument("--session", help="the id of their session, as in votes.csv")

    def handle(self, *_args: Any, code: str | None, session: str | None, **_options: Any) -> None:
        wanted = {"sessions__completion_code": code} if code else {"sessions__id": session}
        found = Participant.objects.filter(**wanted).first()
        if found is None:
            raise CommandError(f"There is no session {code or session}; check the letters.")
        self.stdout.write(f"The participant is erased, with {erase(found)} votes.")
