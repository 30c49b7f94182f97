"""Rows of the answers to a plan's hypotheses, and of the effects that they rest on."""

from dataclasses import dataclass


@dataclass(frozen=True)
class EffectRow:
    """The effect that a hypothesis is about, on one network, or pooled over networks.

    Positive: the second stack is rated higher, or chosen more often. `ci` is the interval of `level`, `inner` that of
    `inner_level`, by which equivalence is judged. `p_holm` is corrected for the networks of the same hypothesis, where
    each is a claim by itself; `holds_alone` says (yes or no) whether the verdict stays the same after that correction.
    `margin_d` is the margin over the standard deviation of single votes, `margin_si` the relative change of SI that is
    worth it; `margin_si_why` is the English sentence why it is unknown, and `margin_si_reason` the same as JSON of
    `reasons.Reason`. `detectable` is the smallest difference that a study of the planned size
    finds at its end with probability `power`, also where the effect is that of an earlier look.
    """

    hypothesis: str
    kind: str
    network: str
    first: str
    second: str
    estimate: float
    level: float
    ci_low: float | None
    ci_high: float | None
    inner_level: float
    inner_low: float | None
    inner_high: float | None
    p_value: float | None
    p_holm: float | None
    p_equivalence: float | None
    margin: float | None
    margin_d: float | None
    margin_si: float | None
    margin_si_why: str | None
    margin_si_reason: str | None
    least_margin: float | None
    power: float | None
    detectable: float | None
    verdict: str
    holds_alone: str
    scope: str
    votes: int
    participants: int
    sites: int
    sentence: str


@dataclass(frozen=True)
class HypothesisRow:
    """The answer to one hypothesis of the plan, or that there is none; `sentence` says it in words.

    `unknown` are the networks that it is about and on which no votes tell the stacks apart; with one, no hypothesis
    about each network is supported.

    `reason` is why an answer about metrics is undecided without a comparison, as JSON of `reasons.Reason`.

    Where it is about several networks, the sentence names the verdict of each; their effects have their own sentences.
    """

    hypothesis: str
    says: str
    outcome: str
    sentence: str
    unknown: str = ""
    reason: str | None = None
