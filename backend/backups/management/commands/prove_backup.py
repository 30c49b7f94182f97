"""`manage.py prove_backup`: verifies a restored database, in a process whose settings name that database.

Prints a line of JSON per check. `manage.py restore` runs it.
"""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from backups.archive import header_of
from backups.proof import prove


class Command(BaseCommand):
    help = "Compare a restored database with the header of its backup; manage.py restore runs it."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("header", type=Path, help="the backup's header, backup.json")

    def handle(self, *_args: Any, header: Path, **_options: Any) -> None:
        for finding in prove(header_of(header.read_bytes())):
            self.stdout.write(json.dumps(asdict(finding)))
            self.stdout.flush()
