"""What the set of best metrics says of the metric that a hypothesis is about (definition E10)."""

from collections.abc import Iterable
from dataclasses import dataclass

from eyelevel_core.model.metrics import METRICS
from eyelevel_core.study.design import Hypothesis
from eyelevel_stats.rows.metrics import NO, YES, BestRow
from eyelevel_stats.rows.words import ALL


@dataclass(frozen=True)
class MetricAgreement:
    """What the set of best metrics says of one metric: which metrics may agree `best`, and which agree less (`behind`).

    `best` is empty where there is no set. The row of the hypothesis has the reason of that, or why the metric is not
    `compared`.
    """

    metric: str
    best: tuple[str, ...]
    behind: tuple[str, ...]
    compared: bool


def agreement_of(hypothesis: Hypothesis, rows: Iterable[BestRow]) -> MetricAgreement:
    """Of the metric that the hypothesis is about, from the rows of all networks together."""
    own = {row.metric: row for row in rows if row.network == ALL}
    label = label_of(hypothesis)
    row = own.get(label)
    return MetricAgreement(
        metric=label,
        best=tuple(name for name, one in own.items() if one.best == YES),
        behind=tuple(name for name, one in own.items() if one.best == NO),
        compared=row is not None and row.best is not None,
    )


def label_of(hypothesis: Hypothesis) -> str:
    """The metric that the hypothesis is about, as tables name it."""
    return next((metric.label for metric in METRICS if hypothesis.metric == metric.label), str(hypothesis.metric))
