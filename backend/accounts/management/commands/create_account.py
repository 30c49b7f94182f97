"""`manage.py create_account NAME --role researcher`: creates an account; the password comes from the environment."""

import os
import secrets
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from accounts.models import Role, User
from audit.log import record
from audit.models import What


class Command(BaseCommand):
    help = "Create an account. The password is read from EYELEVEL_PASSWORD, or generated and shown once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", help="name of the account")
        parser.add_argument("--role", choices=Role.values, default=Role.RESEARCHER.value, help="role of the account")

    def handle(self, *_args: Any, username: str, role: str, **_options: Any) -> None:
        if User.objects.filter(username=username).exists():
            raise CommandError(f"An account {username} already exists; choose another name.")
        given = os.environ.get("EYELEVEL_PASSWORD")
        password = given or secrets.token_urlsafe(12)
        try:
            validate_password(password)
        except ValidationError as error:
            raise CommandError(f"EYELEVEL_PASSWORD is too weak: {' '.join(error.messages)}") from None
        with transaction.atomic():
            user = User.objects.create_account(username, password, Role(role))
            record(None, What.ACCOUNT, user, {"did": "made", "role": role})
        shown = "" if given else f", password {password}"
        self.stdout.write(f"Account {username} ({role}) created{shown}.")
