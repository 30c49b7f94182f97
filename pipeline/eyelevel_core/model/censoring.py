"""Censoring: metrics that are unknown because a film or a clip ended before them. Pure."""

from eyelevel_core.model.metrics import METRIC_OF, METRICS, Metric, MetricValues


def final(values: MetricValues, *, settled: bool) -> dict[str, float | None]:
    """Returns the metrics of a take without those that were not final when its film ended (censored)."""
    known = {metric.field for metric in METRICS if metric.is_final(settled=settled)}
    return {name: value if name in known else None for name, value in values.items()}


def until(end_ms: float, values: MetricValues) -> dict[str, float | None]:
    """Returns the metrics of a film or clip that ends at `end_ms` since navigation start; later ones are unknown."""
    came = {metric.field for metric in METRICS if _came(metric, end_ms, values)}
    return {name: value if name in came else None for name, value in values.items()}


def _came(metric: Metric, end_ms: float, values: MetricValues) -> bool:
    moment = METRIC_OF[metric.known_with] if metric.known_with else metric
    if not moment.unit:
        return False
    ms = values.get(moment.field)
    return ms is not None and ms <= end_ms
