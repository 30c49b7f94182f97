"""`manage.py reset_account NAME`: prints a one-time link for the last admin who lost the password or second factor."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts import reset_links, second_factor
from lib.problems import Problem


class Command(BaseCommand):
    help = "Print a one-time link that sets a password. With --second-factor-off, also turn off the second factor."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", help="name of the account")
        parser.add_argument("--second-factor-off", action="store_true", help="turn off the second factor")

    def handle(self, *_args: Any, username: str, second_factor_off: bool, **_options: Any) -> None:
        try:
            user = reset_links.make(username, by=None)
        except Problem as problem:
            raise CommandError(problem.message) from None
        if second_factor_off:
            second_factor.turn_off(user, by=None)
        origin = settings.PUBLIC_URL or "(the platform's address)"
        self.stdout.write(f"One-time link, valid for 24 hours: {origin}{reset_links.path_of(user)}")
