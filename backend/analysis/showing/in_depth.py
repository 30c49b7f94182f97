"""Tables in depth, in the form of the API and of exports."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from analysis.models import InDepthResult, InDepthState
from analysis.showing.answers import Answers
from eyelevel_core.study.design import Plan
from eyelevel_core.tables import Table
from eyelevel_stats.hypotheses.metric_agreement import agreement_of
from eyelevel_stats.hypotheses.plan_order import Unanswered, in_plan_order
from eyelevel_stats.rows.hypotheses import HypothesisRow
from eyelevel_stats.rows.metrics import BestRow
from eyelevel_stats.tables import IN_DEPTH


def shown_tables(deep: InDepthResult) -> Iterator[tuple[Table, Sequence[Sequence[Any]]]]:
    """The tables that have rows, in their order; a row has a value per column, None if unknown."""
    for name, table in IN_DEPTH.items():
        if name in deep.tables:
            yield table, deep.tables[name]


def agreements(plan: Plan, deep: InDepthResult | None) -> dict[str, dict[str, Any]]:
    """Agreement by the set of best metrics, per key of a hypothesis about metrics; empty before it is known."""
    if deep is None or deep.state != InDepthState.DONE:
        return {}
    rows = [BestRow(*row) for row in deep.tables.get("best-metrics", ())]
    return {
        hypothesis.key: asdict(agreement_of(hypothesis, rows))
        for hypothesis in plan.hypotheses
        if hypothesis.kind == "metrics"
    }


def all_answers(plan: Plan, answers: Answers, deep: InDepthResult | None, *, collecting: bool) -> list[dict[str, Any]]:
    """A row per hypothesis in the plan's order, answered or not; no rows before a planned look or the end.

    Hypotheses about metrics are answered by the tables in depth, `deep`, which may be in any state.
    """
    if collecting and answers.look is None:
        return []
    state = None if deep is None or collecting else InDepthState(deep.state)
    outcome, why = Unanswered.PENDING, "the tables in depth, which answer it, are being computed"
    if collecting:
        why = "it is answered once every link of the study is closed"
    elif deep is not None and state == InDepthState.FAILED:
        outcome, why = Unanswered.FAILED, f"the tables in depth could not be computed: {deep.error}"
    about_metrics = deep.hypotheses if deep is not None and state == InDepthState.DONE else []
    rows = (HypothesisRow(**row) for row in (*answers.hypotheses, *about_metrics))
    return [asdict(row) for row in in_plan_order(plan.hypotheses, rows, outcome=outcome, why=why)]
