"""App configuration; connects the signals that request an analysis, and registers counts."""

from django.apps import AppConfig


class AnalysisConfig(AppConfig):
    name = "analysis"

    def ready(self) -> None:
        from analysis import receivers  # noqa: PLC0415 - models are loaded only now
        from analysis.computing import staleness  # noqa: PLC0415
        from studies.stored_counts import provide  # noqa: PLC0415

        receivers.connect()
        provide(staleness.NAME, staleness.count)
