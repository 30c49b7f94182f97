"""`manage.py ensure_accounts`: creates the demo's accounts and tokens, if EYELEVEL_DEMO_ACCOUNTS=1."""

import json
import os
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import ApiToken, Role, Scope, User

TOKEN_NAME = "demo"  # noqa: S105 - a name, no secret
ROLES = (Role.RESEARCHER, Role.ADMIN)


class Command(BaseCommand):
    help = "Create the demo's accounts and print them as JSON, with a new token per scope."

    def handle(self, *_args: Any, **_options: Any) -> None:
        if os.environ.get("EYELEVEL_DEMO_ACCOUNTS") != "1":
            raise CommandError("EYELEVEL_DEMO_ACCOUNTS is not 1; use create_account for real installations.")
        accounts = {}
        for role in ROLES:
            variable = f"EYELEVEL_DEMO_{role.value.upper()}_PASSWORD"
            password = os.environ.get(variable)
            if not password:
                raise CommandError(f"{variable} is empty; set the password of the demo's {role.value}.")
            accounts[role] = self._ensure(role, password)
        # only a token's hash is stored, so each start replaces the tokens
        ApiToken.objects.filter(user__in=accounts.values(), name=TOKEN_NAME).delete()
        # a study belongs to the account whose token published it: the researcher
        owners = {scope: accounts[Role.ADMIN if scope == Scope.BATCHES else Role.RESEARCHER] for scope in Scope}
        tokens = {scope.value: ApiToken.issue(user=owners[scope], name=TOKEN_NAME, scope=scope) for scope in Scope}
        self.stdout.write(json.dumps({"accounts": [role.value for role in ROLES], "tokens": tokens}))

    def _ensure(self, role: Role, password: str) -> User:
        user = User.objects.filter(username=role.value).first()
        if user is None:
            return User.objects.create_account(role.value, password, role)
        if not user.check_password(password):
            user.set_password(password)
            user.save()
        return user
