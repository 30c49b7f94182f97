"""App configuration; provides the counts of large studies."""

from django.apps import AppConfig


class FieldworkConfig(AppConfig):
    name = "fieldwork"

    def ready(self) -> None:
        from fieldwork import watching  # noqa: PLC0415 - models are loaded only now
        from studies.stored_counts import provide  # noqa: PLC0415

        provide(watching.NAME, watching.count)
