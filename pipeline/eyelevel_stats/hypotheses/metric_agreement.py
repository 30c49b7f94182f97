"""Verdict of the set of best metrics on the metric of a hypothesis (definition E10)."""

from collections.abc import Iterable
from dataclasses import dataclass

from eyelevel_core.model.metrics import METRICS
from eyelevel_core.study.design import Hypothesis
from eyelevel_stats.rows.metrics import NO, YES, BestRow
from eyelevel_stats.rows.words import ALL


@dataclass(frozen=True)
class MetricAgreement:
    """The set of best metrics for a hypothesis: metrics that may agree `best`, and metrics that agree less (`behind`).

    `best` is empty if there is no set. The row of the hypothesis has the reason, or why the metric is not `compared`.
    """

    metric: str
    best: tuple[str, ...]
    behind: tuple[str, ...]
    compared: bool


def agreement_of(hypothesis: Hypothesis, rows: Iterable[BestRow]) -> MetricAgreement:
    """Returns the agreement of the hypothesis's metric, from the rows of all networks together."""
    row_of = {row.metric: row for row in rows if row.network == ALL}
    label = label_of(hypothesis)
    row = row_of.get(label)
    return MetricAgreement(
        metric=label,
        best=tuple(name for name, metric_row in row_of.items() if metric_row.best == YES),
        behind=tuple(name for name, metric_row in row_of.items() if metric_row.best == NO),
        compared=row is not None and row.best is not None,
    )


def label_of(hypothesis: Hypothesis) -> str:
    """Returns the label of the hypothesis's metric in tables."""
    return next((metric.label for metric in METRICS if hypothesis.metric == metric.label), str(hypothesis.metric))
