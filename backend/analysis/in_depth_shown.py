"""Tables in depth as the API and exports show them, with titles and the meanings of columns."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, fields
from typing import Any, NamedTuple

from analysis.models import InDepthResult
from eyelevel_core.study.design import Plan
from eyelevel_stats.hypotheses.plan_order import in_plan_order
from eyelevel_stats.hypotheses.rows import HypothesisRow
from eyelevel_stats.in_depth.catalogue import CATALOGUE


class ShownTable(NamedTuple):
    """A table with its column names; rows have a value per column, None where unknown."""

    name: str
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]

    def meaning(self, column: str) -> str:
        return CATALOGUE[self.name].columns[column]


def shown_tables(found: InDepthResult) -> Iterator[ShownTable]:
    """The tables that have rows, in the order of the catalogue."""
    for name, table in CATALOGUE.items():
        if name in found.tables:
            yield ShownTable(name, table.title, [field.name for field in fields(table.row)], found.tables[name])


def with_metric_answers(
    plan: Plan | None, answered: list[dict[str, Any]], found: InDepthResult | None
) -> list[dict[str, Any]]:
    """The answers to all hypotheses in the plan's order, those about metrics included once they are known."""
    if plan is None or found is None:
        return answered
    rows = in_plan_order(plan.hypotheses, (HypothesisRow(**row) for row in (*answered, *found.hypotheses)))
    return [asdict(row) for row in rows]
