"""The five load-time metrics: key, label, unit and definition. The only list of them.

To add one, add a row to METRICS; then to the contracts `take.1` and `batch.1`, to the export's columns, and to the
classes that have a field for each (a test names those that lack it).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

MetricKey = Literal["fvc", "si", "vc85", "lvc", "plt"]
# by `Metric.field`, in milliseconds since navigation start; None where unknown
MetricValues = Mapping[str, float | None]


@dataclass(frozen=True)
class Metric:
    """One metric; its values are counted from navigation start.

    `key` names it in files, `label` in tables and figures, `name` in sentences. `visual` metrics are computed from the
    film; the others come from the browser. `needs_end` says that the value is final only once the film has ended, so
    that it is unknown (censored) for a page that did not settle.
    """

    key: MetricKey
    label: str
    name: str
    definition: str
    unit: str = "ms"
    visual: bool = True
    needs_end: bool = True

    @property
    def field(self) -> str:
        """The name of a field or column that holds it: the key with its unit, e.g. `fvc_ms`."""
        return f"{self.key}_{self.unit}"


# in the order of every file, table and figure
METRICS = (
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
KEYS = tuple(metric.key for metric in METRICS)
FIELDS = tuple(metric.field for metric in METRICS)
VISUAL_FIELDS = tuple(metric.field for metric in METRICS if metric.visual)
METRIC_OF: Mapping[str, Metric] = {metric.key: metric for metric in METRICS}
LABELS: Mapping[str, str] = {metric.key: metric.label for metric in METRICS}
