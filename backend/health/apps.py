"""App configuration; registers the retention of disk samples."""

from django.apps import AppConfig


class HealthConfig(AppConfig):
    name = "health"

    def ready(self) -> None:
        from health.disk import old_samples  # noqa: PLC0415 - models are loaded only now
        from lib import retention  # noqa: PLC0415

        retention.provide("disk_samples", retention.rows(old_samples))
