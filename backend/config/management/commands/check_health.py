"""`manage.py check_health`: checks that the local web server answers and reaches the database; exit status 0 or 1."""

import json
import urllib.error
import urllib.request
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

TIMEOUT_S = 4


class Command(BaseCommand):
    help = "Check that the web server on this machine answers and reaches the database."
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
            # 503 until the worker has started
            body = error.read()
        except OSError as error:
            raise CommandError(f"The web server does not answer on port {port}: {error}.") from None
        try:
            state = json.loads(body)
        except ValueError:
            raise CommandError(
                f"Port {port} answers, but not with Eyelevel's health report; check which program uses it."
            ) from None
        if not state.get("database"):
            raise CommandError("The web server answers, but cannot reach the database; check EYELEVEL_DATABASE_URL.")
        self.stdout.write(json.dumps(state))
