"""App configuration; connects the signals that request probes and commits, and registers retention."""

from django.apps import AppConfig


class StimuliConfig(AppConfig):
    name = "stimuli"

    def ready(self) -> None:
        from lib import retention  # noqa: PLC0415
        from stimuli import receivers, uploads  # noqa: PLC0415 - models are loaded only now

        receivers.connect()
        retention.provide("uploads", uploads.sweep_stale)
        retention.provide("refusals", retention.rows(uploads.old_refusals))
