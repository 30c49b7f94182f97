"""Answers to hypotheses that one metric agrees best with people (definition E10)."""

from collections.abc import Iterable, Sequence

from eyelevel_core.study.design import Hypothesis
from eyelevel_stats.agreement.best import BestSet, Support
from eyelevel_stats.hypotheses.metric_agreement import agreement_of, label_of
from eyelevel_stats.reasons import Reason
from eyelevel_stats.rows.hypotheses import HypothesisRow
from eyelevel_stats.rows.words import ALL


def metric_answers(hypotheses: Iterable[Hypothesis], sets: Sequence[BestSet]) -> tuple[HypothesisRow, ...]:
    """Answers each hypothesis of kind `metrics`, from the set of all networks together."""
    pooled = next((best_set for best_set in sets if best_set.network == ALL), None)
    return tuple(_answer(hypothesis, pooled) for hypothesis in hypotheses if hypothesis.kind == "metrics")


def _answer(hypothesis: Hypothesis, pooled: BestSet | None) -> HypothesisRow:
    support = Support.UNDECIDED if pooled is None else pooled.support(label_of(hypothesis))
    why = _why(hypothesis, pooled)
    return HypothesisRow(
        hypothesis=hypothesis.key,
        says=hypothesis.says,
        outcome=support,
        sentence=f"{hypothesis.key} is {support}. {_because(hypothesis, pooled, why)}",
        unknown="",
        reason=None if why is None else why.as_json(),
    )


def _why(hypothesis: Hypothesis, pooled: BestSet | None) -> Reason | None:
    """Returns why there is no set of best metrics, or why the metric is not compared; None also if unknown."""
    if pooled is None:
        return Reason("no_rated_clips")
    return pooled.why if pooled.names is None else pooled.reasons.get(label_of(hypothesis))


def _because(hypothesis: Hypothesis, pooled: BestSet | None, why: Reason | None) -> str:
    if pooled is None or pooled.names is None:
        return f"There is no set of best metrics: {why}."
    agreement = agreement_of(hypothesis, pooled.rows)
    if not agreement.compared:
        return f"{agreement.metric} is not compared{'' if why is None else f': {why}'}."
    behind = f" Less well agree: {', '.join(agreement.behind)}." if agreement.behind else ""
    if agreement.best == (agreement.metric,):
        return f"Of the metrics compared, {agreement.metric} alone may agree best with MOS.{behind}"
    return f"The metrics that may agree best with MOS are {', '.join(agreement.best)}.{behind}"
