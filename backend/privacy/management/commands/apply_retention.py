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

        parser.add_argument(
            "--table", action="store_true", help="print the table of docs/reference/privacy.md, and end"
        )

    def handle(self, *_args: Any, delete: bool, table: bool, **_options: Any) -> None:
        if table:
            self.stdout.write(as_markdown())
            return
        now = timezone.now()
        found = retention.apply(now) if delete else retention.due(now)
        done = "deleted" if delete else "due; delete with --delete"
        self.stdout.write(f"{len(found.recruitments)} recruiter ids past their retention: {done}.")
        self.stdout.write(f"{found.cookies} expired cookies: {done}.")
        self.stdout.write(f"{found.failed_codes} failed completion codes older than ten minutes: {done}.")
        for one in found.kinds:
            if one.count is None:
                self.stdout.write(f"The retention of {one.kind.due} failed; the log says why.")
            else:
                self.stdout.write(f"{one.count} {one.kind.due}, kept {one.kind.kept_for(one.days)}: {done}.")
        if found.next_at is not None:
            self.stdout.write(f"The next recruiter id is due on {found.next_at:%Y-%m-%d}.")
        for study in found.unread:
            self.stdout.write(
                f"Study {study} cannot be read: its recruiter ids and the cookies of its unfinished sessions stay."
            )
        if found.without_retention:
            self.stdout.write(
                f"{found.without_retention} recruiter ids stay, because their study states no retention. "
                "Delete them on the study's page."
            )
