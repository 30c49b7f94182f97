"""Comparison of groups (for example laboratory and recruiter): MOS, offset, correlation, and group x arm."""

from collections.abc import Mapping, Sequence
from itertools import combinations

from eyelevel_stats.correlation import correlate
from eyelevel_stats.descriptive.clustered import estimate, matched_difference
from eyelevel_stats.hypotheses.coded import ArmVote
from eyelevel_stats.hypotheses.estimand import Effect, rating_effect
from eyelevel_stats.observations import Rating
from eyelevel_stats.opinion import opinions
from eyelevel_stats.rows.answers import GroupEffectRow, GroupMosRow, GroupOffsetRow
from eyelevel_stats.rows.words import POOLED


def group_mos_rows(
    votes: Sequence[Rating], group_of: Mapping[str, str], *, scale: tuple[float, float]
) -> tuple[GroupMosRow, ...]:
    """Computes for each group all votes, then each network and stack. `group_of` has every participant of the votes."""
    ordered = sorted(votes)
    keys: list[tuple[str, str | None, str | None]] = [(group_of[vote.participant], None, None) for vote in ordered]
    keys += [(group_of[vote.participant], vote.network, vote.stack) for vote in ordered]
    opinion_of = opinions(
        keys, [vote.participant for vote in ordered] * 2, [vote.score for vote in ordered] * 2, scale=scale
    )
    return tuple(
        GroupMosRow(*key, opinion.n, opinion.votes, opinion.mos, opinion.ci_low, opinion.ci_high, opinion.sd)
        for key, opinion in sorted(opinion_of.items(), key=lambda item: [part or "" for part in item[0]])
    )


def group_offset_rows(votes: Sequence[Rating], group_of: Mapping[str, str]) -> tuple[GroupOffsetRow, ...]:
    """Computes a row for each pair of groups, in their order."""
    ordered = sorted(votes)
    return tuple(
        _offset(first, second, [vote for vote in ordered if group_of[vote.participant] in (first, second)], group_of)
        for first, second in combinations(sorted({group_of[vote.participant] for vote in ordered}), 2)
    )


def group_effect_rows(
    votes: Sequence[Rating], group_of: Mapping[str, str], *, pair: tuple[str, str]
) -> tuple[GroupEffectRow, ...]:
    """Computes for each pair of groups all networks pooled, then each network if there are several.

    `pair` has the first and the second stack. The estimand is that of the hypotheses (`rating_effect`, definition E6)
    in each group, on the sites and networks where both groups rated both stacks. Groups consist of different people, so
    the variances by participant add; the difference has m - 1 degrees of freedom for m participants of the smaller
    group. A network without such a site, or whose votes cannot distinguish stacks from participants, has no row.
    """
    first, second = pair
    arms = [vote for vote in votes if vote.stack in pair]
    rows: list[GroupEffectRow] = []
    for one, other in combinations(sorted({group_of[vote.participant] for vote in arms}), 2):
        by_group = [[vote for vote in arms if group_of[vote.participant] == name] for name in (one, other)]
        networks = sorted({vote.network for vote in arms})
        for name, within in [(POOLED, set(networks)), *((each, {each}) for each in networks if len(networks) > 1)]:
            places = _places(by_group[0], within) & _places(by_group[1], within)
            effects = [_effect(group_votes, places, second) for group_votes in by_group]
            if effects[0] is None or effects[1] is None:
                continue
            rows.append(_interaction((one, other, name, first, second, len(places)), effects[0], effects[1]))
    return tuple(rows)


def _offset(first: str, second: str, votes: Sequence[Rating], group_of: Mapping[str, str]) -> GroupOffsetRow:
    cells = [(vote.clip_sha256, vote.context) for vote in votes]
    side = [group_of[vote.participant] == second for vote in votes]
    people, scores = [vote.participant for vote in votes], [vote.score for vote in votes]
    matched = matched_difference(people, cells, side, scores)
    if matched is None:
        return GroupOffsetRow(first, second, 0, 0, 0, None, None, None, None, None, None, None, None)
    mos = opinions(list(zip(cells, side, strict=True)), people, scores)
    common = sorted({cell for cell, which in mos if which} & {cell for cell, which in mos if not which})
    agreement = correlate([mos[cell, False].mos for cell in common], [mos[cell, True].mos for cell in common])
    return GroupOffsetRow(
        first_group=first,
        second_group=second,
        clips=matched.cells,
        first_n=matched.first_participants,
        second_n=matched.second_participants,
        offset=matched.estimate.value,
        ci_low=matched.estimate.ci_low,
        ci_high=matched.estimate.ci_high,
        p_value=matched.estimate.p_value,
        pearson=agreement.pearson,
        pearson_ci_low=agreement.pearson_ci_low,
        pearson_ci_high=agreement.pearson_ci_high,
        spearman=agreement.spearman,
    )


def _places(votes: Sequence[Rating], networks: set[str]) -> set[tuple[str, str]]:
    """Returns the sites and networks on which both stacks have votes."""
    stacks: dict[tuple[str, str], set[str]] = {}
    for vote in votes:
        if vote.network in networks:
            stacks.setdefault((vote.site, vote.network), set()).add(vote.stack)
    return {place for place, both in stacks.items() if len(both) == 2}


def _effect(votes: Sequence[Rating], places: set[tuple[str, str]], second: str) -> Effect | None:
    """Computes the effect with site and network as one site: weights stay, and the variance is by participant."""
    return rating_effect(
        [
            ArmVote(
                vote.participant, "", f"{vote.network}\n{vote.site}", vote.context, vote.stack == second, vote.score
            )
            for vote in sorted(votes)
            if (vote.site, vote.network) in places
        ]
    )


def _interaction(key: tuple[str, str, str, str, str, int], first: Effect, second: Effect) -> GroupEffectRow:
    variance = None if first.se is None or second.se is None else first.se**2 + second.se**2
    freedom = min(first.participants, second.participants) - 1
    difference = estimate(second.estimate - first.estimate, variance or 0.0, 0 if variance is None else freedom)
    return GroupEffectRow(
        *key,
        first_n=first.participants,
        second_n=second.participants,
        first_effect=first.estimate,
        second_effect=second.estimate,
        difference=difference.value,
        ci_low=difference.ci_low,
        ci_high=difference.ci_high,
        p_value=difference.p_value,
    )
