"""Rows of the tables of results; `eyelevel_stats.tables` has what their columns mean."""

from dataclasses import dataclass

from eyelevel_core.model.metrics import METRICS, MetricValues
from eyelevel_core.tables import Column, columns

METRIC_COLUMNS = tuple(
    Column(
        metric.field,
        "number",
        metric.unit or None,
        f"{metric.name} of the clip's take; empty where unknown",
        description_de=f"{metric.name_de}, gemessen an der Aufnahme des Clips; leer, wenn unbekannt",
        head=metric.label,
        format="ms" if metric.unit else "precise",
    )
    for metric in METRICS
)


@dataclass(frozen=True)
class MosRow:
    """MOS of one condition; `n` counts participants; sd and interval (95 %, within 1 to 7) are None where n < 2."""

    site: str
    network: str
    stack: str
    context: str
    n: int
    mos: float
    ci_low: float | None
    ci_high: float | None
    sd: float | None


@dataclass(frozen=True)
class ComparisonRow:
    """Answers about one pair of stacks, whichever was left; `share_a` of all n answers, with its 95 % interval."""

    site: str
    network: str
    stack_a: str
    stack_b: str
    context: str
    n: int
    prefer_a: int
    prefer_b: int
    no_difference: int
    share_a: float
    ci_low: float
    ci_high: float


@dataclass(frozen=True)
class CorrelationRow:
    """The clips' MOS against one metric of those very clips, within one network.

    With fewer than 10 clips or 5 sites, coefficients, interval and p are None, and `why` has the reason.
    """

    network: str
    metric: str
    clips: int
    votes: int
    pearson: float | None
    spearman: float | None
    pearson_ci_low: float | None
    pearson_ci_high: float | None
    p_value: float | None
    why: str | None = None


@dataclass(frozen=True)
class PointRow:
    """One clip: its MOS over all contexts with its interval (95 %, within 1 to 7), and its metrics."""

    clip_sha256: str
    site: str
    network: str
    stack: str
    n: int
    mos: float
    metrics: MetricValues = columns(*METRIC_COLUMNS)
    ci_low: float | None = None
    ci_high: float | None = None


@dataclass(frozen=True)
class ValueRow:
    """The mean of one kind's values about one condition; n, sd and interval (95 %, within its scale) as in MOS."""

    kind: str
    site: str
    network: str
    stack: str
    context: str
    n: int
    mean: float
    ci_low: float | None
    ci_high: float | None
    sd: float | None


@dataclass(frozen=True)
class IdenticalAnswers:
    """Answers about identical pairs; `share_different` is (chose_left + chose_right) / n, with its 95 % interval."""

    n: int
    participants: int
    chose_left: int
    chose_right: int
    no_difference: int
    share_different: float
    ci_low: float
    ci_high: float


@dataclass(frozen=True)
class IdenticalRow:
    """The answers about one network and stack."""

    network: str
    stack: str
    n: int
    participants: int
    chose_left: int
    chose_right: int
    no_difference: int
    share_different: float
    ci_low: float
    ci_high: float


@dataclass(frozen=True)
class RepeatRow:
    """Repeats of one kind of trial: n pairs of answers, and how far they agree.

    `share_equal` with its 95 % interval; `mean_difference` is the mean of |second - first|, None where answers are
    words.
    """

    kind: str
    n: int
    participants: int
    equal: int
    share_equal: float
    ci_low: float
    ci_high: float
    mean_difference: float | None


@dataclass(frozen=True)
class LayoutRow:
    """The votes of one kind in one layout; n counts participants.

    `mean` and `sd` are those of the answers on the kind's own scale, as in a row of MOS; None where answers are words.
    A layout follows the window, so a difference can be one of devices.
    """

    kind: str
    layout: str
    n: int
    votes: int
    mean: float | None
    sd: float | None
