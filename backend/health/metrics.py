"""Metrics for Prometheus, at /metrics, if EYELEVEL_METRICS_TOKEN is set."""

import hmac
from collections.abc import Iterator

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric

from health.report import Report, report
from health.text import WARNINGS


class Health:
    """Collector of one report as metrics, whose names begin with `eyelevel_`."""

    def __init__(self, state: Report) -> None:
        self._state = state

    def collect(self) -> Iterator[Metric]:
        state = self._state
        services = GaugeMetricFamily("eyelevel_service_up", "Whether a service works.", labels=["service"])
        for service in state.services:
            services.add_metric([service.name], float(service.ok))
        yield services
        text = "Whether the health page shows this warning; eyelevel status prints its meaning."
        warnings = GaugeMetricFamily("eyelevel_warning", text, labels=["code"])
        for code in WARNINGS:
            warnings.add_metric([code], float(code in state.warnings))
        yield warnings
        length = GaugeMetricFamily("eyelevel_queue_length", "Number of waiting messages.", labels=["queue"])
        oldest = GaugeMetricFamily("eyelevel_queue_oldest_seconds", "Age of the oldest message.", labels=["queue"])
        for queue in state.queues or ():
            length.add_metric([queue.name], queue.length)
            oldest.add_metric([queue.name], queue.oldest_s or 0.0)
        yield from (length, oldest)
        if state.disk is not None:
            yield _gauge("eyelevel_disk_free_bytes", "Free space of the disk with the files.", state.disk.free_bytes)
            yield _gauge("eyelevel_disk_total_bytes", "Size of the disk with the files.", state.disk.total_bytes)
        if state.sessions_active is not None:
            yield _gauge(
                "eyelevel_sessions_active", "Sessions with a vote in the last 15 minutes.", state.sessions_active
            )
        if state.errors is not None:
            times = sum(group.times for group in state.errors)
            yield _gauge("eyelevel_errors_last_day", "Errors logged in the last 24 hours.", times)
        for name, run in (("backup", state.backup), ("drill", state.drill)):
            if run is not None:
                yield _gauge(f"eyelevel_{name}_ok", f"Whether the last {name} succeeded.", float(run.ok))
                text = f"Time at which the last {name} ended."
                yield _gauge(f"eyelevel_{name}_timestamp_seconds", text, run.at.timestamp())


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """The metrics in text format; 404 if no token is set, or if the request has another token."""
    wanted = f"Bearer {settings.METRICS_TOKEN}"
    if not settings.METRICS_TOKEN or not hmac.compare_digest(request.headers.get("Authorization", ""), wanted):
        return HttpResponseNotFound("Not found.\n", content_type="text/plain")
    registry = CollectorRegistry(auto_describe=False)
    registry.register(Health(report()))
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


def _gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(name, text, value=value)
