"""App configuration; connects the signals that lead to probes and commits."""

from django.apps import AppConfig


class StimuliConfig(AppConfig):
    name = "stimuli"

    def ready(self) -> None:
        from stimuli import receivers  # noqa: PLC0415 - models are loaded only now

        receivers.connect()
