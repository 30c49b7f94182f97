"""The order of answers: as the plan lists its hypotheses."""

from collections.abc import Iterable

from eyelevel_core.study.design import Hypothesis
from eyelevel_stats.hypotheses.rows import HypothesisRow


def in_plan_order(hypotheses: Iterable[Hypothesis], rows: Iterable[HypothesisRow]) -> tuple[HypothesisRow, ...]:
    """Rows of all kinds together, as the plan lists them."""
    by_key = {row.hypothesis: row for row in rows}
    return tuple(by_key[one.key] for one in hypotheses if one.key in by_key)
