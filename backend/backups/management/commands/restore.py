"""`manage.py restore -|s3://BUCKET/NAME`: restores a backup and verifies it; `eyelevel restore FILE` calls it."""

import os
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from backups import restoring
from backups.drill import drill
from backups.encryption import Key, decrypted
from backups.errors import BackupError
from backups.models import Kind
from backups.places import origin
from backups.runs import Noted, noted
from lib.counted import counted


class Command(BaseCommand):
    help = "Restore a backup from standard input (-) or an S3-compatible store (s3://BUCKET/NAME), and verify it."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("place", nargs="?", help="- for standard input, or s3://BUCKET/NAME")
        parser.add_argument("--replace", action="store_true", help="replace existing studies and votes")
        parser.add_argument(
            "--drill",
            action="store_true",
            help="only verify that the backup can be restored (default: a backup made now)",
        )
        parser.add_argument("--undo", action="store_true", help="restore the data from before the last restore")

    def handle(self, *_args: Any, **options: Any) -> None:
        red, self.stderr.style_func = self.stderr.style_func, None
        try:
            self._handle(**options)
        except BackupError as error:
            self.stderr.style_func = red
            self.stderr.write(f"eyelevel: {error}")
            raise SystemExit(error.exit_status) from None
        finally:
            self.stderr.style_func = red

    def _handle(self, *, place: str | None, **options: Any) -> None:
        if options["undo"]:
            restoring.undo(self._tell)
            return
        # tables for the record of this run; a restore replaces them
        call_command("prepare", stdout=self.stderr)
        if place is None and options["drill"]:
            with noted(Kind.DRILL) as facts:
                _note(facts, drill(self._tell))
            self._tell("A backup made now can be restored. Nothing was changed.")
        elif place is None:
            raise CommandError("The place of the backup is missing; pass - for standard input, or s3://BUCKET/NAME.")
        else:
            self._restore(place, _key(), drill=options["drill"], replace=options["replace"])

    def _restore(self, place: str, key: Key, *, drill: bool, replace: bool) -> None:
        with noted(Kind.DRILL if drill else Kind.RESTORE) as facts:
            with origin(place) as raw, decrypted(raw, key) as source:
                report = restoring.restore(source, drill=drill, replace=replace, tell=self._tell)
            _note(facts, report)
        if drill:
            self._tell(f"The backup of {report.header.created_at} can be restored. Nothing was changed.")
            return
        self._tell(f"Restored: {counted(report.header.votes, 'vote')}, as of {report.header.created_at}.")
        if report.votes_later:
            self._tell(
                f"{counted(report.votes_later, 'later vote is', 'later votes are')} only in the restore point; to get "
                "them, restore it with --undo."
            )

    def _tell(self, line: str) -> None:
        self.stderr.write(line)


def _note(facts: Noted, report: restoring.Report) -> None:
    facts.votes = report.header.votes
    facts.sentences = [finding.text for finding in report.findings]


def _key() -> Key:
    return Key(
        identity=os.environ.get("EYELEVEL_BACKUP_IDENTITY") or None,
        passphrase=os.environ.get("EYELEVEL_BACKUP_PASSPHRASE") or None,
    )
