"""The answers to all hypotheses in the plan's order, including pending and unanswerable ones."""

from collections.abc import Iterable
from enum import StrEnum

from eyelevel_core.study.design import Hypothesis
from eyelevel_stats.rows.hypotheses import HypothesisRow


class Unanswered(StrEnum):
    """The outcome of a hypothesis that has no answer."""

    PENDING = "pending"
    FAILED = "failed"
    UNANSWERABLE = "unanswerable"


def in_plan_order(
    hypotheses: Iterable[Hypothesis], rows: Iterable[HypothesisRow], *, outcome: Unanswered, why: str
) -> tuple[HypothesisRow, ...]:
    """Returns a row per hypothesis; `outcome` and `why` are for answerable hypotheses without an answer."""
    by_key = {row.hypothesis: row for row in rows}
    return tuple(by_key.get(hypothesis.key) or _unanswered(hypothesis, outcome, why) for hypothesis in hypotheses)


def _unanswered(hypothesis: Hypothesis, outcome: Unanswered, why: str) -> HypothesisRow:
    if hypothesis.kind is None:
        outcome, why = Unanswered.UNANSWERABLE, "it has no kind, and without one no program can answer it"
    return HypothesisRow(
        hypothesis.key, hypothesis.says, outcome, f"{hypothesis.key} has no answer: {why.removesuffix('.')}.", ""
    )
