"""Answers about pairs of stimuli against the ratio of each metric's values, and thresholds of the metric."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from eyelevel_core.tables import Table, column
from eyelevel_stats.columns import Columns
from eyelevel_stats.in_depth.stimuli import Stimuli, metric_votes
from eyelevel_stats.pairs.observations import in_order
from eyelevel_stats.pairs.slopes import slope_rows, slopes
from eyelevel_stats.pairs.thresholds import threshold_rows
from eyelevel_stats.rows.comparisons import SlopeRow, ThresholdRow
from eyelevel_stats.votes import pair_votes


@dataclass(frozen=True)
class OfMetric:
    """The first column in tables of several metrics."""

    metric: str = column("metric from the table of metrics", "Metrik, deren Werte in der Tabelle der Metriken stehen")


@dataclass(frozen=True)
class MetricSlopeRow(SlopeRow, OfMetric):
    """Answers against the ratio of one metric's values."""


@dataclass(frozen=True)
class MetricThresholdRow(ThresholdRow, OfMetric):
    """One threshold of one metric."""


TABLES = {
    "slopes": Table(
        "slopes",
        "Answers against the ratio of a metric’s values",
        "Antworten gegen das Verhältnis der Werte einer Metrik",
        MetricSlopeRow,
    ),
    "thresholds": Table(
        "thresholds",
        "Thresholds of discrimination and indifference",
        "Schwellen der Unterscheidung und der Gleichgültigkeit",
        MetricThresholdRow,
    ),
}


def metric_slopes(columns: Columns, stimuli: Stimuli) -> dict[str, tuple[Any, ...]]:
    """Computes the rows of TABLES, metric by metric; empty without pairs or metrics.

    The side bias is estimated if the table states the sides.
    """
    tables: dict[str, list[Any]] = {name: [] for name in TABLES}
    votes = in_order(pair_votes(columns))
    if votes:
        for name, votes_on_metric in metric_votes(votes, stimuli.metrics, higher_is_better=stimuli.higher_is_better):
            lines = slopes(votes_on_metric, side_bias=stimuli.sided)
            tables["slopes"] += _of_metric(name, MetricSlopeRow, slope_rows(lines))
            tables["thresholds"] += _of_metric(name, MetricThresholdRow, threshold_rows(lines))
    return {name: tuple(rows) for name, rows in tables.items() if rows}


def _of_metric(
    name: str, row_type: type[MetricSlopeRow | MetricThresholdRow], rows: Sequence[SlopeRow | ThresholdRow]
) -> list[Any]:
    """The rows with the metric, and the reason in words about metrics."""
    worded = [row if row.why is None else replace(row, why=row.why.replace("Speed Indexes", "values")) for row in rows]
    return [row_type(metric=name, **{field.name: getattr(row, field.name) for field in fields(row)}) for row in worded]
