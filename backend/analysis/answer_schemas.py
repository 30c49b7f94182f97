"""Response bodies about the answers to a plan's hypotheses."""

import json
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import BeforeValidator

from eyelevel_stats.reasons import Code
from eyelevel_stats.rows.hypotheses import EffectRow


class ReasonOut(Schema):
    """Why a figure is unknown: a code, which pages word, and the values that belong to it."""

    code: Code
    values: dict[str, float]


def _of_json(stored: Any) -> Any:
    """Rows of results have reasons as JSON text."""
    return json.loads(stored) if isinstance(stored, str) else stored


StoredReason = Annotated[ReasonOut | None, BeforeValidator(_of_json)]


class MetricAgreementOut(Schema):
    """What the set of best metrics says of one metric."""

    metric: str
    # may agree best with people; empty without a set
    best: list[str]
    # agree less
    behind: list[str]
    # whether the metric is; `reason` of the hypothesis says why not
    compared: bool


class HypothesisOut(Schema):
    hypothesis: str
    # what answers it: votes of a kind of trial, or the agreement of metrics with people; null: no program can
    kind: Literal["rate", "compare", "metrics"] | None
    says: str
    # pending: not answered yet; failed: its computation, as the sentence says; unanswerable: it has no kind
    outcome: Literal["supported", "contradicted", "undecided", "pending", "failed", "unanswerable"]
    # networks without votes that tell the stacks apart
    unknown: str
    sentence: str
    # why an answer about metrics compares none, or not its own; null for others, and where that is unknown
    reason: StoredReason = None
    # what an answer about metrics rests on; null for others
    agreement: MetricAgreementOut | None = None


@dataclass(frozen=True, kw_only=True)
class EffectOut(EffectRow):
    """A row of effects.csv; `margin_si_why` is the English sentence of `margin_si_reason`."""

    kind: Literal["rate", "compare"]
    verdict: Literal["different", "different, but smaller than the margin", "equivalent", "undecided"]
    holds_alone: Literal["yes", "no"]
    scope: Literal["sites like these", "these very sites"]
    margin_si_reason: StoredReason  # type: ignore[assignment]  # stored as text
