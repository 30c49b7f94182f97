"""App configuration; connects session limits and known browsers to Django's login signal."""

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        from accounts.known_devices import remember  # noqa: PLC0415 - settings are there only now
        from accounts.middleware import begin  # noqa: PLC0415
        from accounts.retention import provide  # noqa: PLC0415

        provide()
        user_logged_in.connect(begin, dispatch_uid="session-limits")
        user_logged_in.connect(remember, dispatch_uid="known-devices")
