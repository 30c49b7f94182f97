"""`manage.py issue_token NAME --user ADMIN --scope batches`: issues an API token and prints it once."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts import tokens
from accounts.models import TOKEN_DAYS, Scope, User
from lib.problems import Problem


class Command(BaseCommand):
    help = "Issue an API token and print it once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="name of the token, such as its purpose")
        parser.add_argument("--user", required=True, help="name of the account that owns the token")
        parser.add_argument("--scope", choices=Scope.values, required=True, help="scope of the token")
        parser.add_argument(
            "--days", type=int, default=TOKEN_DAYS, help="days until the token expires (default %(default)s)"
        )

    def handle(self, *_args: Any, name: str, user: str, scope: str, days: int, **_options: Any) -> None:
        owner = User.objects.filter(username=user).first()
        if owner is None:
            raise CommandError(f"There is no account {user}; create it with create_account.")
        try:
            _, token = tokens.issue(owner, name=name, scope=Scope(scope), days=days, by=None)
        except Problem as problem:
            raise CommandError(problem.message) from None
        self.stdout.write(token)
