"""Rows of the answers to a plan's hypotheses, and of the effects that they rest on."""

from dataclasses import dataclass


@dataclass(frozen=True)
class EffectRow:
    """The effect that a hypothesis is about, on one network, or pooled over networks.

    Positive: the second stack is rated higher, or chosen more often. `p_holm` is corrected for the networks of the same
    hypothesis, where each is a claim of its own. `margin_d` is the margin over the spread of single votes.
    """

    hypothesis: str
    kind: str
    network: str
    first: str
    second: str
    estimate: float
    ci_low: float | None
    ci_high: float | None
    inner_low: float | None
    inner_high: float | None
    p_value: float | None
    p_holm: float | None
    p_equivalence: float | None
    margin: float | None
    margin_d: float | None
    least_margin: float | None
    verdict: str
    scope: str
    votes: int
    participants: int
    sites: int
    sentence: str


@dataclass(frozen=True)
class HypothesisRow:
    """The answer to one hypothesis of the plan; `sentence` says it in words."""

    hypothesis: str
    says: str
    outcome: str
    sentence: str
