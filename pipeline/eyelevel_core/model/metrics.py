"""The load-time metrics: key, label, names, unit and definition. The only list of them.

Contracts, columns of files, results, the database, the API, figures and pages derive from it.
docs/developers/develop.md explains how to add one.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

# main: the five of the 2019 paper. Tests are corrected within a group, and only main metrics choose what a clip shows
Group = Literal["main", "plain", "browser"]
# by `Metric.field`; None or missing where unknown
MetricValues = Mapping[str, float | None]


@dataclass(frozen=True)
class Metric:
    """One metric. Its values are milliseconds, times since navigation start; with an empty `unit`, plain numbers.

    `key` names it in files, `label` in tables and figures, `name` and `name_de` in sentences. `visual` metrics are
    computed from the film; the others come from the browser. `needs_end` says that the value is final only once the
    film has ended, so that it is unknown (censored) for a page that did not settle. `plain_of` is the metric whose
    value without a motion mask this is: it stands beside that metric in takes and exports, and no test compares stacks
    by it. The values of `ratio` metrics are always above 0, and are compared by ratio; the others may be 0, and are
    compared by difference. `known_with` is the metric from whose time on this one is known, where it is no time itself.
    """

    key: str
    label: str
    name: str
    name_de: str
    definition: str
    unit: str = "ms"
    visual: bool = True
    needs_end: bool = True
    plain_of: str | None = None
    ratio: bool = True
    group: Group = "main"
    known_with: str | None = None

    @property
    def field(self) -> str:
        """The name of its field or column: the key with its unit, e.g. `fvc_ms`, `cls`."""
        return f"{self.key}_{self.unit}" if self.unit else self.key

    def is_final(self, *, settled: bool) -> bool:
        """Whether a take's value is final; otherwise it is the value at which the time limit ended the film."""
        return settled or not self.needs_end

    @property
    def clip_field(self) -> str:
        """The name of the field with its value on a clip's frames, e.g. `fvc_clip_ms`."""
        return f"{self.key}_clip_{self.unit}"


LOADING = (
    Metric(
        "fvc",
        "FVC",
        "first visual change",
        "erste sichtbare Änderung",
        "time of the first frame that differs from the one at navigation start",
        needs_end=False,
    ),
    Metric(
        "si",
        "SI",
        "Speed Index",
        "Speed Index",
        "area above the curve of visual completeness (0 to 1) over time, rounded down to a whole millisecond",
        known_with="lvc",
    ),
    Metric(
        "vc85",
        "VC85",
        "85 % visual completeness",
        "visuelle Vollständigkeit von 85 %",
        "time from which the page stays at least 85 % visually complete",
    ),
    Metric(
        "lvc",
        "LVC",
        "last visual change",
        "letzte sichtbare Änderung",
        "time of the last frame that differs from the one before it",
    ),
    Metric(
        "plt",
        "PLT",
        "page load time",
        "Ladezeit der Seite",
        "time at which the browser's load event starts",
        visual=False,
        needs_end=False,
    ),
)


BROWSER = (
    Metric(
        "fcp",
        "FCP",
        "first contentful paint",
        "erste Darstellung von Inhalt (First Contentful Paint)",
        "time at which the browser first paints text or an image (W3C Paint Timing)",
        visual=False,
        needs_end=False,
        group="browser",
    ),
    Metric(
        "lcp",
        "LCP",
        "largest contentful paint",
        "Darstellung des größten Inhalts (Largest Contentful Paint)",
        "time at which the largest image or text block is painted; the last candidate before any input "
        "(W3C Largest Contentful Paint)",
        visual=False,
        group="browser",
    ),
    Metric(
        "cls",
        "CLS",
        "cumulative layout shift",
        "kumulierte Layoutverschiebung",
        "largest sum of layout shifts within a session window: gaps under 1 s, at most 5 s long (WICG Layout "
        "Instability, web.dev)",
        unit="",
        visual=False,
        ratio=False,
        group="browser",
    ),
    Metric(
        "cls_sum",
        "CLS sum",
        "cumulative layout shift, all shifts",
        "Summe aller Layoutverschiebungen",
        "sum of all layout shifts without recent input, without session windows (Lighthouse 6)",
        unit="",
        visual=False,
        ratio=False,
        group="browser",
    ),
    Metric(
        "tbt",
        "TBT",
        "total blocking time",
        "gesamte Blockierzeit (Total Blocking Time)",
        "sum over the main thread's tasks, between FCP and TTI, of what each takes over 50 ms (Lighthouse)",
        visual=False,
        ratio=False,
        group="browser",
        known_with="tti",
    ),
    Metric(
        "tti",
        "TTI",
        "time to interactive",
        "Zeit bis zur Interaktivität",
        "end of the last task over 50 ms before the first 5 s after FCP without such a task and with at most two "
        "requests in flight; not before FCP and DCL (Lighthouse)",
        visual=False,
        needs_end=False,
        group="browser",
    ),
    Metric(
        "dcl",
        "DCL",
        "DOM content loaded",
        "DOM geladen (DOMContentLoaded)",
        "time at which the browser's DOMContentLoaded event starts (W3C Navigation Timing)",
        visual=False,
        needs_end=False,
        group="browser",
    ),
    Metric(
        "ttfb",
        "TTFB",
        "time to first byte",
        "Zeit bis zum ersten Byte",
        "time at which the first byte of the document's response arrives, redirects included (W3C Navigation Timing)",
        visual=False,
        needs_end=False,
        group="browser",
    ),
)


def _plain(metric: Metric) -> Metric:
    """The same metric of the film as it was shown, with motion that never ends."""
    return replace(
        metric,
        key=_plain_key(metric.key),
        label=f"{metric.label} plain",
        name=f"{metric.name}, plain film",
        name_de=f"{metric.name_de}, Film ohne Bewegungsmaske",
        definition=f"{metric.definition}; of the film as it was shown, with nothing frozen by the motion mask",
        plain_of=metric.key,
        group="plain",
        known_with=metric.known_with and _plain_key(metric.known_with),
    )


def _plain_key(key: str) -> str:
    return f"{key}_plain"


# in the order of every file, table and figure
METRICS = (*LOADING, *(_plain(metric) for metric in LOADING if metric.visual), *BROWSER)
KEYS = tuple(metric.key for metric in METRICS)
MAIN = tuple(metric.key for metric in METRICS if metric.group == "main")
# what stacks are compared by
COMPARED = tuple(metric.key for metric in METRICS if metric.plain_of is None)
FIELDS = tuple(metric.field for metric in METRICS)
# metrics of a film in which motion that never ends is frozen, and of the film as it was shown, in the same order
VISUAL_FIELDS = tuple(metric.field for metric in METRICS if metric.visual and metric.plain_of is None)
# by field, the column of a visual metric's value on the frames of a clip
CLIP_FIELDS = {metric.field: metric.clip_field for metric in METRICS if metric.field in VISUAL_FIELDS}
PLAIN_FIELDS = tuple(metric.field for metric in METRICS if metric.plain_of is not None)
BROWSER_FIELDS = tuple(metric.field for metric in BROWSER)
METRIC_OF: Mapping[str, Metric] = {metric.key: metric for metric in METRICS}
LABELS: Mapping[str, str] = {metric.key: metric.label for metric in METRICS}


def complete(values: MetricValues) -> MetricValues:
    """Returns one value per metric, in order; None for metrics that an older file lacks."""
    return {field: values.get(field) for field in FIELDS}


def known(values: Mapping[str, Any]) -> MetricValues:
    """Drops unknown values and converts the others to floats. ValueError for unknown names and non-finite numbers."""
    for field, value in values.items():
        if field not in FIELDS:
            raise ValueError(f"Unknown metric {field}; use one of {', '.join(FIELDS)}.")
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if value is not None and not (number and math.isfinite(value)):
            raise ValueError(f"{field} is {value!r}; it must be a finite number, or None where it is unknown.")
    return {field: float(values[field]) for field in FIELDS if values.get(field) is not None}


def plain(values: MetricValues) -> MetricValues:
    """Returns the visual metrics of the film as it was shown, and thus of its clips.

    Older takes, made before masks existed, have only these values.
    """
    known = [values.get(field) for field in PLAIN_FIELDS]
    masked = [values[field] for field in VISUAL_FIELDS]
    return dict(zip(VISUAL_FIELDS, masked if known == [None] * len(known) else known, strict=True))
