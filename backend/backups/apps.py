"""App configuration; registers the retention of records, of the restore point and of stray files."""

from django.apps import AppConfig


class BackupsConfig(AppConfig):
    name = "backups"

    def ready(self) -> None:
        from backups import retention  # noqa: PLC0415 - models are loaded only now

        retention.provide()
