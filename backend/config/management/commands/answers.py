"""`manage.py answers`: does the web server on this machine answer, and reach the database? Exit status 0 or 1."""

import json
import urllib.error
import urllib.request
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

TIMEOUT_S = 4


class Command(BaseCommand):
    help = "Ask the web server how it is."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8000)

    def handle(self, *_args: Any, port: int, **_options: Any) -> None:
        host = settings.ALLOWED_HOSTS[0].lstrip(".*") or "localhost"
        request = urllib.request.Request(f"http://127.0.0.1:{port}/api/health", headers={"Host": host})
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_S) as response:  # noqa: S310 - http on loopback
                body = response.read()
        except urllib.error.HTTPError as error:
            # 503 while the worker is not up yet
            body = error.read()
        except OSError as error:
            raise CommandError(f"The web server does not answer on port {port}: {error}.") from None
        try:
            state = json.loads(body)
        except ValueError:
            raise CommandError(f"Something else answers on port {port}.") from None
        if not state.get("database"):
            raise CommandError("The web server does not reach the database.")
        self.stdout.write(json.dumps(state))
