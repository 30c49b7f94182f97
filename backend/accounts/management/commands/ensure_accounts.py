"""`manage.py ensure_accounts`: the demo's accounts and tokens, where EYELEVEL_DEMO_ACCOUNTS=1 asks for them."""

import json
import os
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import ApiToken, Role, Scope, User

TOKEN_NAME = "demo"  # noqa: S105 - a name, no secret
ROLES = (Role.RESEARCHER, Role.ADMIN)


class Command(BaseCommand):
    help = "Make the demo's accounts and print them as JSON, with a fresh token per scope."

    def handle(self, *_args: Any, **_options: Any) -> None:
        if os.environ.get("EYELEVEL_DEMO_ACCOUNTS") != "1":
            raise CommandError("EYELEVEL_DEMO_ACCOUNTS is not 1; real installations use create_account.")
        accounts = {}
        for role in ROLES:
            variable = f"EYELEVEL_DEMO_{role.value.upper()}_PASSWORD"
            password = os.environ.get(variable)
            if not password:
                raise CommandError(f"{variable} is empty; set the password of the demo's {role.value}.")
            accounts[role] = self._ensure(role, password)
        # a token is only kept as a hash, so each start issues new ones in place of the old
        ApiToken.objects.filter(user__in=accounts.values(), name=TOKEN_NAME).delete()
        # what is published belongs to the researcher, who is to see it
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
