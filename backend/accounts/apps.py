"""The app, and what it listens to."""

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        from accounts.middleware import begin  # noqa: PLC0415 - settings are there only now

        user_logged_in.connect(begin, dispatch_uid="session-limits")
