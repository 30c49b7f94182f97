"""The load-time metrics: key, label, unit and definition. The only list of them.

To add one, add a row to METRICS; then to the contracts `take.1` and `batch.1`, to the export's columns, and to the
classes that have a field for each (a test names those that lack it).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

MetricKey = Literal["fvc", "si", "vc85", "lvc", "plt", "fvc_plain", "si_plain", "vc85_plain", "lvc_plain"]
# by `Metric.field`, in milliseconds since navigation start; None where unknown
MetricValues = Mapping[str, float | None]


@dataclass(frozen=True)
class Metric:
    """One metric; its values are counted from navigation start.

    `key` names it in files, `label` in tables and figures, `name` in sentences. `visual` metrics are computed from the
    film; the others come from the browser. `needs_end` says that the value is final only once the film has ended, so
    that it is unknown (censored) for a page that did not settle. `plain_of` is the metric whose value without a motion
    mask this is: it stands beside that metric in takes and exports, and no test compares stacks by it.
    """

    key: MetricKey
    label: str
    name: str
    definition: str
    unit: str = "ms"
    visual: bool = True
    needs_end: bool = True
    plain_of: MetricKey | None = None

    @property
    def field(self) -> str:
        """The name of a field or column that holds it: the key with its unit, e.g. `fvc_ms`."""
        return f"{self.key}_{self.unit}"


LOADING = (
    Metric(
        "fvc",
        "FVC",
        "first visual change",
        "time of the first frame that differs from the one at navigation start",
        needs_end=False,
    ),
    Metric(
        "si",
        "SI",
        "Speed Index",
        "area above the curve of visual completeness (0 to 1) over time, rounded down to a whole millisecond",
    ),
    Metric(
        "vc85",
        "VC85",
        "85 % visual completeness",
        "time from which the page stays at least 85 % visually complete",
    ),
    Metric(
        "lvc",
        "LVC",
        "last visual change",
        "time of the last frame that differs from the one before it",
    ),
    Metric(
        "plt",
        "PLT",
        "page load time",
        "time at which the browser's load event starts",
        visual=False,
        needs_end=False,
    ),
)


def _plain(metric: Metric) -> Metric:
    """The same metric of the film as it was shown, with motion that never ends."""
    return replace(
        metric,
        key=PLAIN[metric.key],
        label=f"{metric.label} plain",
        name=f"{metric.name}, plain film",
        definition=f"{metric.definition}; of the film as it was shown, with nothing frozen by the motion mask",
        plain_of=metric.key,
    )


PLAIN: Mapping[MetricKey, MetricKey] = {
    "fvc": "fvc_plain", "si": "si_plain", "vc85": "vc85_plain", "lvc": "lvc_plain"
}  # fmt: skip
# in the order of every file, table and figure
METRICS = (*LOADING, *(_plain(metric) for metric in LOADING if metric.key in PLAIN))
KEYS = tuple(metric.key for metric in METRICS)
# what stacks are compared by
COMPARED = tuple(metric.key for metric in METRICS if metric.plain_of is None)
FIELDS = tuple(metric.field for metric in METRICS)
# of a film on which motion that never ends is frozen, and of the film as it was shown, in the same order
VISUAL_FIELDS = tuple(metric.field for metric in METRICS if metric.visual and metric.plain_of is None)
PLAIN_FIELDS = tuple(metric.field for metric in METRICS if metric.plain_of is not None)
METRIC_OF: Mapping[str, Metric] = {metric.key: metric for metric in METRICS}
LABELS: Mapping[str, str] = {metric.key: metric.label for metric in METRICS}


def complete(values: MetricValues) -> MetricValues:
    """One value per metric, in order; unknown for those that a file from before they existed lacks."""
    return {field: values.get(field) for field in FIELDS}


def plain(values: MetricValues) -> MetricValues:
    """The visual metrics of the film as it was shown: what a clip of it shows as well.

    A take from before there were masks has one set of values, which are those.
    """
    known = [values.get(field) for field in PLAIN_FIELDS]
    own = [values[field] for field in VISUAL_FIELDS]
    return dict(zip(VISUAL_FIELDS, known if any(field in values for field in PLAIN_FIELDS) else own, strict=True))
