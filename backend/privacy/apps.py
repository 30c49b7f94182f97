"""App configuration; connects the signal that requests a refresh of planner statistics."""

from django.apps import AppConfig


class PrivacyConfig(AppConfig):
    name = "privacy"

    def ready(self) -> None:
        from privacy import receivers  # noqa: PLC0415 - models are loaded only now

        receivers.connect()
