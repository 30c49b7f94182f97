"""Which metrics of a take a clip cannot show, as it ends before. Pure."""

from eyelevel_core.model.metrics import METRIC_OF, METRICS, MetricValues

# what is no moment is known once another metric is: Speed Index is the area up to the last visual change
KNOWN_WITH = {METRIC_OF["si"].field: METRIC_OF["lvc"].field, METRIC_OF["si_plain"].field: METRIC_OF["lvc_plain"].field}
# neither a moment nor an area: a page's blocking and shifts are not on show
NOT_SHOWN = frozenset({"tbt", "cls"})


def until(end_ms: float, values: MetricValues) -> dict[str, float | None]:
    """The metrics as far as they came until `end_ms` since navigation start; later ones are unknown (censored)."""
    fields = {metric.field for metric in METRICS if metric.key not in NOT_SHOWN}
    return {
        name: value if name not in fields or _came(values.get(KNOWN_WITH.get(name, name)), end_ms) else None
        for name, value in values.items()
    }


def _came(ms: float | None, end_ms: float) -> bool:
    return ms is not None and ms <= end_ms
