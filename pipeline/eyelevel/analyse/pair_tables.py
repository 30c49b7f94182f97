"""The tables of the fits of a long table of pairs."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from operator import attrgetter
from typing import Any

from eyelevel.analyse.pair_fits import MetricSlopeRow, MetricThresholdRow, PairFits
from eyelevel.analyse.tables import between, meanings
from eyelevel.report.table import Column, Table, View
from eyelevel.report.words import amount, count, decimal, share, text
from eyelevel_stats.rows.comparisons import ComponentRow, DetectionRow, JodRow, WorthRow

# the tables of a study compare stacks on networks by their Speed Index
NAMES = {"stack": "stimulus", "stacks": "stimuli", "stack_a": "stimulus_a", "stack_b": "stimulus_b"}
WORDS = {
    "stacks": "stimuli",
    "stack": "stimulus",
    " within the network": "",
    "take": "stimulus",
    "Speed Indexes": "values of the metric",
    "Speed Index": "the metric",
    "faster": "better",
    "slower": "worse",
    "equally fast": "equally good",
    "takes 25 % longer": "is 25 % worse",
}


def fit_tables(found: PairFits) -> list[Table]:
    """In the order of the page; tables without rows are left out."""
    tables = [
        _worth_table(found.worths),
        _jod_table(found.jods),
        _component_table(found.components),
        _threshold_table(found.thresholds),
        _slope_table(found.slopes),
        _detection_table(found.detection),
    ]
    return [table for table in tables if table.rows]


def _worth_table(rows: Sequence[WorthRow]) -> Table:
    views = [
        View("stimulus", attrgetter("stack"), text=True),
        View("component", lambda row: count(row.component)),
        View("answers", lambda row: count(row.n)),
        View("worth", lambda row: amount(row.worth, "")),
        View("log worth", lambda row: decimal(row.log_worth)),
        View("its standard error", lambda row: decimal(row.log_worth_se_clustered)),
        *_note(rows),
    ]
    return Table("worths", "Worth of each stimulus", _columns(WorthRow, meanings(WorthRow)), views, rows)


def _jod_table(rows: Sequence[JodRow]) -> Table:
    views = [
        View("A", attrgetter("stack_a"), text=True),
        View("B", attrgetter("stack_b"), text=True),
        View("answers", lambda row: count(row.n)),
        View("JOD", lambda row: decimal(row.jod)),
        View("95 % interval", lambda row: between(row.ci_low, row.ci_high)),
        *_note(rows),
    ]
    return Table("jod", "Just objectionable differences", _columns(JodRow, meanings(JodRow)), views, rows)


def _component_table(rows: Sequence[ComponentRow]) -> Table:
    views = [
        View("component", lambda row: count(row.component)),
        View("stimuli", attrgetter("stacks"), text=True),
        View("answers", lambda row: count(row.n)),
        View("participants", lambda row: count(row.participants)),
        View("nu", lambda row: decimal(row.nu)),
        View("side bias", lambda row: decimal(row.side_bias)),
        View("its standard error", lambda row: decimal(row.side_bias_se_clustered)),
        *_note(rows),
    ]
    columns = _columns(ComponentRow, meanings(ComponentRow))
    return Table("pair-components", "Ties and side bias of each fit", columns, views, rows)


def _threshold_table(rows: Sequence[MetricThresholdRow]) -> Table:
    views = [
        View("metric", attrgetter("metric"), text=True),
        View("threshold", attrgetter("threshold"), text=True),
        View("relative difference", lambda row: share(row.value)),
        View("95 % interval", _shares),
        *_note(rows),
    ]
    columns = _columns(MetricThresholdRow, meanings(MetricThresholdRow))
    return Table("thresholds", "Thresholds of discrimination and indifference", columns, views, rows)


def _slope_table(rows: Sequence[MetricSlopeRow]) -> Table:
    views = [
        View("metric", attrgetter("metric"), text=True),
        View("answers", lambda row: count(row.n)),
        View("ratios", lambda row: between(row.least_ratio, row.greatest_ratio)),
        View("slope", lambda row: decimal(row.slope)),
        View("95 % interval", lambda row: between(row.slope_ci_low, row.slope_ci_high)),
        *_note(rows),
    ]
    columns = _columns(MetricSlopeRow, meanings(MetricSlopeRow))
    return Table("slopes", "Answers against the ratio of a metric’s values", columns, views, rows)


def _detection_table(rows: Sequence[DetectionRow]) -> Table:
    views = [
        View("answers about two stimuli", lambda row: count(row.n)),
        View("name a side", lambda row: count(row.named)),
        View("answers about identical pairs", lambda row: count(row.one_take_n)),
        View("name a side", lambda row: count(row.one_take_named)),
        View("d′", lambda row: decimal(row.d_prime)),
        View("95 % interval", lambda row: between(row.ci_low, row.ci_high)),
    ]
    return Table("detection", "Sensitivity d′", _columns(DetectionRow, meanings(DetectionRow)), views, rows)


def _columns(row_type: type[Any], meanings: Mapping[str, str]) -> list[Column]:
    """The fields without the network, a metric first; names and meanings are about stimuli."""
    names = sorted(
        (field.name for field in fields(row_type) if field.name != "network"), key=lambda name: name != "metric"
    )
    return [Column(NAMES.get(name, name), _worded(meanings[name]), attrgetter(name)) for name in names]


def _worded(meaning: str) -> str:
    for word, other in WORDS.items():
        meaning = meaning.replace(word, other)
    return meaning


def _note(rows: Sequence[Any]) -> list[View]:
    return [View("note", lambda row: row.why or "", text=True)] if any(row.why for row in rows) else []


def _shares(row: MetricThresholdRow) -> str:
    if row.ci_low is None:
        return text(None)
    return f"{share(row.ci_low)} to {share(row.ci_high)}" if row.ci_high is not None else f"from {share(row.ci_low)}"
