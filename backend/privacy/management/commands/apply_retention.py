"""`manage.py apply_retention`: lists data past its retention (`lib.kept`); `--delete` deletes it, as beat does."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from lib.kept import as_markdown
from privacy import retention


class Command(BaseCommand):
    help = "List data past its retention (docs/reference/privacy.md); delete it with --delete."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--delete", action="store_true", help="delete the listed data; without this option nothing changes"
        )

        parser.add_argument("--table", action="store_true", help="only print the table of docs/reference/privacy.md")

    def handle(self, *_args: Any, delete: bool, table: bool, **_options: Any) -> None:
        if table:
            self.stdout.write(as_markdown())
            return
        now = timezone.now()
        due = retention.apply(now) if delete else retention.due(now)
        done = "deleted" if delete else "due; delete with --delete"
        self.stdout.write(f"{len(due.recruitments)} recruiter ids past their retention: {done}.")
        self.stdout.write(f"{due.cookies} expired cookies: {done}.")
        self.stdout.write(f"{due.failed_codes} failed completion codes older than ten minutes: {done}.")
        for swept in due.kinds:
            if swept.count is None:
                self.stdout.write(f"The retention of {swept.kind.due} failed; see the log for the reason.")
            else:
                self.stdout.write(f"{swept.count} {swept.kind.due}, kept {swept.kind.kept_for(swept.days)}: {done}.")
        if due.next_at is not None:
            self.stdout.write(f"The next recruiter id is due on {due.next_at:%Y-%m-%d}.")
        for study in due.unread:
            self.stdout.write(
                f"Study {study} cannot be read, so its recruiter ids and the cookies of unfinished sessions are kept."
            )
        if due.without_retention:
            self.stdout.write(
                f"{due.without_retention} recruiter ids are kept, because their study states no retention. "
                "Delete them on the study's page."
            )
