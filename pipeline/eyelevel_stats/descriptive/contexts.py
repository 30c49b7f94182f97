"""Context effect: MOS per context, and differences between contexts on the same clips."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from eyelevel_stats.descriptive.clustered import matched_difference
from eyelevel_stats.observations import Rating
from eyelevel_stats.opinion import opinions

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


def context_mos_rows(votes: Sequence[Rating], *, scale: tuple[float, float]) -> tuple[ContextMosRow, ...]:
    """A row per context, in their order."""
    kept = sorted(votes)
    found = opinions(
        [vote.context for vote in kept],
        [vote.participant for vote in kept],
        [vote.score for vote in kept],
        scale=scale,
    )
    return tuple(
        ContextMosRow(context, own.n, own.votes, own.mos, own.ci_low, own.ci_high, own.sd)
        for context, own in sorted(found.items())
    )


def context_difference_rows(votes: Sequence[Rating]) -> tuple[ContextDifferenceRow, ...]:
    """A row for each pair of contexts, in their order.

    Participants may rate in one context or in several: votes of one participant are one cluster (`matched_difference`).
    """
    return tuple(
        _difference(first, second, [vote for vote in votes if vote.context in (first, second)])
        for first, second in combinations(sorted({vote.context for vote in votes}), 2)
    )


def _difference(first: str, second: str, votes: Sequence[Rating]) -> ContextDifferenceRow:
    found = matched_difference(
        [vote.participant for vote in votes],
        [(vote.site, vote.network, vote.stack) for vote in votes],
        [vote.context == second for vote in votes],
        [vote.score for vote in votes],
    )
    if found is None:
        return ContextDifferenceRow(first, second, 0, 0, 0, None, None, None, None)
    return ContextDifferenceRow(
        first=first,
        second=second,
        conditions=found.cells,
        first_n=found.first_participants,
        second_n=found.second_participants,
        difference=found.estimate.value,
        ci_low=found.estimate.ci_low,
        ci_high=found.estimate.ci_high,
        p_value=found.estimate.p_value,
    )
