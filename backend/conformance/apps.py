"""App configuration; connects the signal that leads to a verdict, and provides verdicts to `ratings`."""

from django.apps import AppConfig


class ConformanceConfig(AppConfig):
    name = "conformance"

    def ready(self) -> None:
        from conformance import at_end, receivers  # noqa: PLC0415 - they need models, which are there only now
        from ratings.way_back import provide_verdicts  # noqa: PLC0415

        receivers.connect()
        provide_verdicts(at_end.accepted)
