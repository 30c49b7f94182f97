"""App configuration; connects the signal that requests a verdict, and provides verdicts and counts to other apps."""

from django.apps import AppConfig


class ConformanceConfig(AppConfig):
    name = "conformance"

    def ready(self) -> None:
        from conformance import at_end, figures, receivers  # noqa: PLC0415 - they need models, which are there only now
        from ratings.way_back import provide_verdicts  # noqa: PLC0415
        from studies.stored_counts import provide  # noqa: PLC0415

        receivers.connect()
        provide_verdicts(at_end.accepted)
        provide(figures.NAME, figures.count)
