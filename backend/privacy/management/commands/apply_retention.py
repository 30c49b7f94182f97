"""`manage.py apply_retention`: tell what is kept longer than studies promise; `--delete` deletes it, as beat does."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from privacy import retention


class Command(BaseCommand):
    help = "Tell what is past the retention that studies promise, and delete it with --delete."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--delete", action="store_true", help="delete it; without, nothing is changed")

    def handle(self, *_args: Any, delete: bool, **_options: Any) -> None:
        now = timezone.now()
        found = retention.apply(now) if delete else retention.due(now)
        done = "deleted" if delete else "due, and deleted with --delete"
        self.stdout.write(f"{len(found.recruitments)} recruiter ids past their retention: {done}.")
        self.stdout.write(f"{found.cookies} cookies past their life: {done}.")
        self.stdout.write(f"{found.failed_codes} wrong completion codes past their ten minutes: {done}.")
        if found.next_at is not None:
            self.stdout.write(f"The next recruiter id is due on {found.next_at:%Y-%m-%d}.")
        for study in found.unread:
            self.stdout.write(f"The study {study} cannot be read: its recruiter ids and unfinished cookies stay.")
        if found.without_retention:
            self.stdout.write(
                f"{found.without_retention} recruiter ids stay: a study of theirs states no retention. "
                "Forget them on the study's page."
            )
