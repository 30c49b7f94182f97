"""App configuration; connects the signal that leads to a verdict."""

from django.apps import AppConfig


class ConformanceConfig(AppConfig):
    name = "conformance"

    def ready(self) -> None:
        from conformance import receivers  # noqa: PLC0415 - it needs models, which are there only now

        receivers.connect()
