"""Answers to hypotheses that one metric agrees best with people (definition E10)."""

from collections.abc import Iterable, Sequence

from eyelevel_core.model.metrics import METRICS
from eyelevel_core.study.design import Hypothesis
from eyelevel_stats.agreement.best import BestSet, Support
from eyelevel_stats.hypotheses.rows import HypothesisRow
from eyelevel_stats.rows.best import NO
from eyelevel_stats.rows.networks import ALL


def metric_answers(hypotheses: Iterable[Hypothesis], sets: Sequence[BestSet]) -> tuple[HypothesisRow, ...]:
    """A row per hypothesis of kind `metrics`, from the set of all networks together."""
    pooled = next((one for one in sets if one.network == ALL), None)
    return tuple(_answer(one, pooled) for one in hypotheses if one.kind == "metrics")


def _answer(hypothesis: Hypothesis, pooled: BestSet | None) -> HypothesisRow:
    label = next((metric.label for metric in METRICS if hypothesis.metric == metric.label), str(hypothesis.metric))
    support = Support.UNDECIDED if pooled is None else pooled.support(label)
    return HypothesisRow(
        hypothesis=hypothesis.key,
        says=hypothesis.says,
        outcome=support,
        unknown="",
        sentence=f"{hypothesis.key} is {support}. {_because(label, pooled)}",
    )


def _because(label: str, pooled: BestSet | None) -> str:
    if pooled is None or pooled.names is None:
        why = "no clip was rated whose metrics are known" if pooled is None else pooled.why
        return f"There is no set of best metrics: {why}."
    row = next((row for row in pooled.rows if row.metric == label), None)
    if row is None or row.best is None:
        return f"{label} is not compared{'' if row is None or row.why is None else f': {row.why}'}."
    worse = [each.metric for each in pooled.rows if each.best == NO]
    behind = f" Less well agree: {', '.join(worse)}." if worse else ""
    if pooled.names == (label,):
        return f"Of the metrics compared, {label} alone may agree best with MOS.{behind}"
    return f"The metrics that may agree best with MOS are {', '.join(pooled.names)}.{behind}"
