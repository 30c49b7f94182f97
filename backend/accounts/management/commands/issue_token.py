"""`manage.py issue_token NAME --user ADMIN --scope batches`: a token for a program, printed once."""

from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from accounts.models import ApiToken, Scope, User


class Command(BaseCommand):
    help = "Issue an API token and print it, this once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="what the token is for")
        parser.add_argument("--user", required=True)
        parser.add_argument("--scope", choices=Scope.values, required=True)
        parser.add_argument("--days", type=int, help="how long it is good for; default: until it is withdrawn")

    def handle(self, *_args: Any, name: str, user: str, scope: str, days: int | None, **_options: Any) -> None:
        owner = User.objects.filter(username=user).first()
        if owner is None:
            raise CommandError(f"There is no account {user}; make it with create_account.")
        expires_at = None if days is None else timezone.now() + timedelta(days=days)
        self.stdout.write(ApiToken.issue(user=owner, name=name, scope=Scope(scope), expires_at=expires_at))
