"""App configuration; connects the signal that queues exports, and registers retention."""

from django.apps import AppConfig


class ExportsConfig(AppConfig):
    name = "exports"

    def ready(self) -> None:
        from exports import jobs, receivers  # noqa: PLC0415 - models are loaded only now
        from lib import retention  # noqa: PLC0415

        receivers.connect()
        retention.provide("export_files", jobs.sweep_expired)
        retention.provide("export_jobs", retention.rows(jobs.old_jobs))
