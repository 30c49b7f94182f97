"""Tables of contexts: rows and columns."""

from dataclasses import dataclass

_MOS = {
    "context": "key of the context in which the participants were asked to imagine themselves",
    "n": "participants",
    "votes": "votes that the row counts",
    "mos": "mean opinion score; several votes of one participant are averaged first. Contexts can have other clips: "
    "compare them by context differences",
    "ci_low": "lower end of the 95 % interval (Student's t over participants, cut at the ends of the scale); empty "
    "where n is 1",
    "ci_high": "upper end of the same interval",
    "sd": "standard deviation between participants (divisor n - 1); empty where n is 1",
}

_DIFFERENCE = {
    "first": "of the two contexts the one whose name sorts first",
    "second": "the other context",
    "conditions": "sites, networks and stacks that were rated in both contexts; the row counts these alone",
    "first_n": "participants with votes in the first context",
    "second_n": "participants with votes in the second context",
    "difference": "mean over these conditions of (MOS in second - MOS in first), in points, each with equal weight; "
    "empty without such a condition",
    "ci_low": "lower end of the 95 % interval (Student's t, clustered by participant, for these very sites)",
    "ci_high": "upper end of the same interval",
    "p_value": "two-sided p against no difference",
}


@dataclass(frozen=True)
class ContextMosRow:
    """MOS of one context (see COLUMNS)."""

    context: str
    n: int
    votes: int
    mos: float
    ci_low: float | None
    ci_high: float | None
    sd: float | None


@dataclass(frozen=True)
class ContextDifferenceRow:
    """Two contexts on the conditions that both have (see COLUMNS)."""

    first: str
    second: str
    conditions: int
    first_n: int
    second_n: int
    difference: float | None
    ci_low: float | None
    ci_high: float | None
    p_value: float | None


COLUMNS = {ContextMosRow: _MOS, ContextDifferenceRow: _DIFFERENCE}
