"""App configuration; connects the signals that lead to an analysis."""

from django.apps import AppConfig


class AnalysisConfig(AppConfig):
    name = "analysis"

    def ready(self) -> None:
        from analysis import receivers  # noqa: PLC0415 - it needs models, which are there only now

        receivers.connect()
