"""`manage.py issue_token NAME --user ADMIN --scope batches`: a token for a program, printed once."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts import tokens
from accounts.models import TOKEN_DAYS, Scope, User
from lib.problems import Problem


class Command(BaseCommand):
    help = "Issue an API token and print it, this once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="what the token is for")
        parser.add_argument("--user", required=True)
        parser.add_argument("--scope", choices=Scope.values, required=True)
        parser.add_argument("--days", type=int, default=TOKEN_DAYS, help="how long it is good for (%(default)s)")

    def handle(self, *_args: Any, name: str, user: str, scope: str, days: int, **_options: Any) -> None:
        owner = User.objects.filter(username=user).first()
        if owner is None:
            raise CommandError(f"There is no account {user}; make it with create_account.")
        try:
            _, token = tokens.issue(owner, name=name, scope=Scope(scope), days=days, by=None)
        except Problem as problem:
            raise CommandError(problem.message) from None
        self.stdout.write(token)
