"""`manage.py backup -|s3://BUCKET/NAME`: writes a backup; `eyelevel backup FILE` calls it."""

import json
import os
from typing import IO, Any

from django.core.management.base import BaseCommand, CommandParser

from backups.encryption import Lock, encrypted
from backups.errors import BackupError
from backups.making import expected_bytes, make_backup
from backups.models import Kind
from backups.places import destination
from backups.runs import noted
from lib.counted import counted

NOT_ENCRYPTED = (
    "The backup is not encrypted. It contains secrets of second factors; add --recipient, or set "
    "EYELEVEL_BACKUP_PASSPHRASE."
)


class Command(BaseCommand):
    help = "Write a backup of the platform to standard output (-) or to an S3-compatible store (s3://BUCKET/NAME)."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("place", help="- for standard output, or s3://BUCKET/NAME")
        parser.add_argument("--recipient", help="encrypt for this public key of age (age1...)")
        parser.add_argument("--plan", action="store_true", help="only print the expected size as JSON")

    def handle(self, *_args: Any, place: str, recipient: str | None, plan: bool, **_options: Any) -> None:
        if plan:
            self.stdout.write(json.dumps({"bytes": expected_bytes()}))
            return
        lock = Lock(recipient=recipient, passphrase=os.environ.get("EYELEVEL_BACKUP_PASSPHRASE") or None)
        try:
            with noted(Kind.BACKUP) as facts, destination(place) as raw:
                written = _Counted(raw)
                with encrypted(written, lock) as out:  # type: ignore[arg-type]  # it only writes
                    header = make_backup(out, tell=self._tell)
                facts.bytes, facts.votes = written.bytes, header.votes
        except BackupError as error:
            self.stderr.write(f"eyelevel: {error}")
            raise SystemExit(error.exit_status) from None
        self._tell(
            f"Backup of {counted(len(header.studies), 'study', 'studies')} with {counted(header.votes, 'vote')}, "
            f"as of {header.created_at}: "
            f"{written.bytes / 1e6:,.1f} MB"
        )
        if not lock.is_closed:
            self._tell(NOT_ENCRYPTED)

    def _tell(self, line: str) -> None:
        # standard output may be the backup
        self.stderr.write(line, style_func=str)


class _Counted:
    def __init__(self, out: IO[bytes]) -> None:
        self._out, self.bytes = out, 0

    def write(self, data: bytes) -> int:
        self._out.write(data)
        self.bytes += len(data)
        return len(data)

    def flush(self) -> None:
        self._out.flush()
