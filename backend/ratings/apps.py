"""App configuration; provides the counts that `studies` shows."""

from django.apps import AppConfig


class RatingsConfig(AppConfig):
    name = "ratings"

    def ready(self) -> None:
        from ratings import queries  # noqa: PLC0415 - models are loaded only now
        from studies.progress import provide_counts  # noqa: PLC0415

        provide_counts(queries)
