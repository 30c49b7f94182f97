"""Context effect: MOS per context, and differences between contexts on the same clips."""

from collections.abc import Sequence
from itertools import combinations

from eyelevel_stats.descriptive.clustered import matched_difference
from eyelevel_stats.observations import Rating
from eyelevel_stats.opinion import opinions
from eyelevel_stats.rows.answers import ContextDifferenceRow, ContextMosRow


def context_mos_rows(votes: Sequence[Rating], *, scale: tuple[float, float]) -> tuple[ContextMosRow, ...]:
    """Computes a row per context, in their order."""
    ordered = sorted(votes)
    opinion_of = opinions(
        [vote.context for vote in ordered],
        [vote.participant for vote in ordered],
        [vote.score for vote in ordered],
        scale=scale,
    )
    return tuple(
        ContextMosRow(context, opinion.n, opinion.votes, opinion.mos, opinion.ci_low, opinion.ci_high, opinion.sd)
        for context, opinion in sorted(opinion_of.items())
    )


def context_difference_rows(votes: Sequence[Rating]) -> tuple[ContextDifferenceRow, ...]:
    """Computes a row for each pair of contexts, in their order.

    Participants may rate in one context or in several: votes of one participant are one cluster (`matched_difference`).
    """
    return tuple(
        _difference(first, second, [vote for vote in votes if vote.context in (first, second)])
        for first, second in combinations(sorted({vote.context for vote in votes}), 2)
    )


def _difference(first: str, second: str, votes: Sequence[Rating]) -> ContextDifferenceRow:
    matched = matched_difference(
        [vote.participant for vote in votes],
        [(vote.site, vote.network, vote.stack) for vote in votes],
        [vote.context == second for vote in votes],
        [vote.score for vote in votes],
    )
    if matched is None:
        return ContextDifferenceRow(first, second, 0, 0, 0, None, None, None, None)
    return ContextDifferenceRow(
        first=first,
        second=second,
        conditions=matched.cells,
        first_n=matched.first_participants,
        second_n=matched.second_participants,
        difference=matched.estimate.value,
        ci_low=matched.estimate.ci_low,
        ci_high=matched.estimate.ci_high,
        p_value=matched.estimate.p_value,
    )
