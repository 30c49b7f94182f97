"""App configuration; connects the start of a sign-in to Django's login signal."""

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        from accounts.middleware import begin  # noqa: PLC0415 - settings are there only now

        user_logged_in.connect(begin, dispatch_uid="session-limits")
