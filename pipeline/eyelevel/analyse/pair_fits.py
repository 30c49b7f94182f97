"""Fits of a long table of pairs: worths of stimuli, distances in JOD, thresholds of metrics, and d'."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from eyelevel.analyse.long_table.pairs import PairVotes
from eyelevel_core.tables import column
from eyelevel_stats.agreement.clip_scores import Metrics
from eyelevel_stats.pairs.components import components
from eyelevel_stats.pairs.davidson import component_rows, worth_rows
from eyelevel_stats.pairs.detection import detection_rows
from eyelevel_stats.pairs.jod import jod_rows
from eyelevel_stats.pairs.observations import PairVote, SameVote, in_order
from eyelevel_stats.pairs.slopes import slope_rows, slopes
from eyelevel_stats.pairs.thresholds import threshold_rows
from eyelevel_stats.rows.comparisons import ComponentRow, DetectionRow, JodRow, SlopeRow, ThresholdRow, WorthRow


@dataclass(frozen=True)
class MetricSlopeRow(SlopeRow):
    """Answers against the ratio of one metric's values."""

    metric: str = column("metric whose values stand in the table of metrics")


@dataclass(frozen=True)
class MetricThresholdRow(ThresholdRow):
    """One threshold of one metric."""

    metric: str = column("metric whose values stand in the table of metrics")


@dataclass(frozen=True)
class PairFits:
    """All stimuli are of one network, whose name is empty; `detection` has no row without identical pairs."""

    components: tuple[ComponentRow, ...]
    worths: tuple[WorthRow, ...]
    jods: tuple[JodRow, ...]
    slopes: tuple[MetricSlopeRow, ...]
    thresholds: tuple[MetricThresholdRow, ...]
    detection: tuple[DetectionRow, ...]


def pair_fits(votes: PairVotes, metrics: Metrics, *, higher_is_better: Collection[str] = ()) -> PairFits:
    """Fit Davidson's model, and per metric the answers against the ratio of both sides' values.

    The side bias is estimated where the table knows the sides. A stimulus beside itself is one take.
    """
    asked = in_order(PairVote(who, "", "", left, right, choice.value) for who, left, right, choice in votes.votes)
    same = in_order(SameVote(who, "", one, choice.value, one_take=True) for who, one, choice in votes.same)
    fitted = components(asked, side_bias=votes.sided)
    found_slopes: list[MetricSlopeRow] = []
    thresholds: list[MetricThresholdRow] = []
    for name, values in metrics.items():
        lines = slopes(
            [_with(vote, values, more_is_better=name in higher_is_better) for vote in asked], side_bias=votes.sided
        )
        found_slopes += [MetricSlopeRow(**_plain(row), metric=name) for row in slope_rows(lines)]
        thresholds += [MetricThresholdRow(**_plain(row), metric=name) for row in threshold_rows(lines)]
    return PairFits(
        components=component_rows(fitted),
        worths=tuple(sorted(worth_rows(fitted), key=_best_first)),
        jods=jod_rows(fitted),
        slopes=tuple(found_slopes),
        thresholds=tuple(thresholds),
        detection=detection_rows(asked, same) if same else (),
    )


def _with(vote: PairVote, values: Mapping[str, float | None], *, more_is_better: bool) -> PairVote:
    """The vote with the metric in the place of the Speed Index, of which less is better."""
    left, right = values.get(vote.left_stack), values.get(vote.right_stack)
    if more_is_better:
        # the ratio is that of the better side to the worse one
        left, right = right, left
    return vote._replace(left_si_ms=left, right_si_ms=right)


def _plain(row: SlopeRow | ThresholdRow) -> dict[str, Any]:
    """The fields, with the reason in words about metrics."""
    worded = row if row.why is None else replace(row, why=row.why.replace("Speed Indexes", "values"))
    return {field.name: getattr(worded, field.name) for field in fields(row)}


def _best_first(row: WorthRow) -> tuple[int, float, str]:
    return row.component, -(row.worth or 0.0), row.stack
