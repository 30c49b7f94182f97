"""Which metrics are unknown as a film or a clip ended before them. Pure."""

from eyelevel_core.model.metrics import METRIC_OF, METRICS, MetricValues

# what is no moment is known once another metric is: Speed Index is the area up to the last visual change, and total
# blocking time a sum until the page is interactive
KNOWN_WITH = {
    METRIC_OF["si"].field: METRIC_OF["lvc"].field,
    METRIC_OF["si_plain"].field: METRIC_OF["lvc_plain"].field,
    METRIC_OF["tbt"].field: METRIC_OF["tti"].field,
}
# sums until the page has settled: of what is cut off before that they are never known
NEVER_KNOWN = (METRIC_OF["cls"].field, METRIC_OF["cls_sum"].field)


def final(values: MetricValues, *, settled: bool) -> dict[str, float | None]:
    """The metrics of a take without those that were not final when its film ended (censored)."""
    known = {metric.field for metric in METRICS if metric.is_final(settled=settled)}
    return {name: value if name in known else None for name, value in values.items()}


def until(end_ms: float, values: MetricValues) -> dict[str, float | None]:
    """The metrics of what is cut off at `end_ms` since navigation start; later ones are unknown (censored)."""
    return {
        name: value if name not in NEVER_KNOWN and _came(values.get(KNOWN_WITH.get(name, name)), end_ms) else None
        for name, value in values.items()
    }


def _came(ms: float | None, end_ms: float) -> bool:
    return ms is not None and ms <= end_ms
