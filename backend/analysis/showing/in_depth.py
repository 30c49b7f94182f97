"""Tables in depth as the API and exports show them."""

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


def shown_tables(found: InDepthResult) -> Iterator[tuple[Table, Sequence[Sequence[Any]]]]:
    """The tables that have rows, in their order; rows have a value per column, None where unknown."""
    for name, table in IN_DEPTH.items():
        if name in found.tables:
            yield table, found.tables[name]


def agreements(plan: Plan, found: InDepthResult | None) -> dict[str, dict[str, Any]]:
    """What the set of best metrics says, by the keys of the hypotheses about metrics; nothing before it is known."""
    if found is None or found.state != InDepthState.DONE:
        return {}
    rows = [BestRow(*row) for row in found.tables.get("best-metrics", ())]
    return {one.key: asdict(agreement_of(one, rows)) for one in plan.hypotheses if one.kind == "metrics"}


def all_answers(plan: Plan, answers: Answers, found: InDepthResult | None, *, collecting: bool) -> list[dict[str, Any]]:
    """A row per hypothesis in the plan's order, also where it has no answer; none before a planned look or the end.

    Hypotheses about metrics are answered by the tables in depth, which are `found` in whatever state.
    """
    if collecting and answers.look is None:
        return []
    state = None if found is None or collecting else InDepthState(found.state)
    outcome, why = Unanswered.PENDING, "the tables in depth, which answer it, are being computed"
    if collecting:
        why = "it is answered once every link of the study is closed"
    elif found is not None and state == InDepthState.FAILED:
        outcome, why = Unanswered.FAILED, f"the tables in depth could not be computed: {found.error}"
    about_metrics = found.hypotheses if found is not None and state == InDepthState.DONE else []
    rows = (HypothesisRow(**row) for row in (*answers.hypotheses, *about_metrics))
    return [asdict(row) for row in in_plan_order(plan.hypotheses, rows, outcome=outcome, why=why)]
