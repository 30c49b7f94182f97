"""`manage.py status [--json]`: the state of the platform, as on the health page; `eyelevel status` calls it."""

import json
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.core.serializers.json import DjangoJSONEncoder

from health.report import report
from health.text import lines


class Command(BaseCommand):
    help = "Print services, queues, backups, disk, versions and errors. Exit status 1 if something needs attention."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *_args: Any, **options: Any) -> None:
        state = report()
        if options["json"]:
            self.stdout.write(json.dumps(asdict(state), cls=DjangoJSONEncoder, indent=2))
        else:
            self.stdout.write("\n".join(lines(state)))
        if state.warnings:
            raise SystemExit(1)
