"""Groups side by side (for example laboratory and recruiter): MOS, offset, correlation, and group x arm."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from eyelevel_stats.correlation import correlate
from eyelevel_stats.descriptive.clustered import estimate, matched_difference
from eyelevel_stats.hypotheses.coded import ArmVote
from eyelevel_stats.hypotheses.estimand import Effect, rating_effect
from eyelevel_stats.observations import Rating
from eyelevel_stats.opinion import opinions

POOLED = "pooled"

_PAIR = {
    "first_group": "of the two groups the one whose name sorts first",
    "second_group": "the other group",
}
_MOS = {
    "group": "key of the group: participants who came by one link",
    "network": "network of the stimuli; empty: all together",
    "stack": "stack of the clips; empty: all together",
    "n": "participants",
    "votes": "votes that the row counts",
    "mos": "mean opinion score; several votes of one participant are averaged first",
    "ci_low": "lower end of the 95 % interval (Student's t over participants, cut at the ends of the scale); empty "
    "where n is 1",
    "ci_high": "upper end of the same interval",
    "sd": "standard deviation between participants (divisor n - 1); empty where n is 1",
}
_OFFSET = _PAIR | {
    "clips": "clips and contexts that both groups rated; the row counts these alone",
    "first_n": "participants of first_group",
    "second_n": "participants of second_group",
    "offset": "mean over these clips of (MOS of second_group - MOS of first_group), in points, each with equal weight",
    "ci_low": "lower end of the 95 % interval (Student's t, clustered by participant, for these very clips)",
    "ci_high": "upper end of the same interval",
    "p_value": "two-sided p against no offset",
    "pearson": "Pearson's correlation of the groups' MOS over these clips; empty for fewer than 3",
    "pearson_ci_low": "lower end of its 95 % interval by Fisher's z; empty for fewer than 4 clips",
    "pearson_ci_high": "upper end of the same interval",
    "spearman": "Spearman's rank correlation of the same points",
}
_EFFECT = _PAIR | {
    "network": "network of the clips; pooled: all together, each site on each network with the same weight",
    "first": "first stack of the pair",
    "second": "second stack of the pair",
    "places": "pairs of site and network where both groups rated both stacks; the row counts these alone",
    "first_n": "participants of first_group with votes there",
    "second_n": "participants of second_group with votes there",
    "first_effect": "MOS of second minus MOS of first in first_group, in points, given participant, site, network and "
    "context",
    "second_effect": "the same in second_group",
    "difference": "second_effect - first_effect: the interaction of group and stack",
    "ci_low": "lower end of the 95 % interval (Student's t, clustered by participant, for these very sites)",
    "ci_high": "upper end of the same interval",
    "p_value": "two-sided p against no interaction",
}


@dataclass(frozen=True)
class GroupMosRow:
    """MOS of one group, of all its votes or on one network and stack (see COLUMNS)."""

    group: str
    network: str | None
    stack: str | None
    n: int
    votes: int
    mos: float
    ci_low: float | None
    ci_high: float | None
    sd: float | None


@dataclass(frozen=True)
class GroupOffsetRow:
    """Two groups on the clips that both rated (see COLUMNS); estimates are None without such clips."""

    first_group: str
    second_group: str
    clips: int
    first_n: int
    second_n: int
    offset: float | None
    ci_low: float | None
    ci_high: float | None
    p_value: float | None
    pearson: float | None
    pearson_ci_low: float | None
    pearson_ci_high: float | None
    spearman: float | None


@dataclass(frozen=True)
class GroupEffectRow:
    """The effect of the stack in two groups, and its difference (see COLUMNS)."""

    first_group: str
    second_group: str
    network: str
    first: str
    second: str
    places: int
    first_n: int
    second_n: int
    first_effect: float
    second_effect: float
    difference: float
    ci_low: float | None
    ci_high: float | None
    p_value: float | None


COLUMNS = {GroupMosRow: _MOS, GroupOffsetRow: _OFFSET, GroupEffectRow: _EFFECT}


def group_mos_rows(
    votes: Sequence[Rating], group_of: Mapping[str, str], *, scale: tuple[float, float]
) -> tuple[GroupMosRow, ...]:
    """For each group all votes, then each network and stack. `group_of` has every participant of the votes."""
    kept = sorted(votes)
    keys: list[tuple[str, str | None, str | None]] = [(group_of[vote.participant], None, None) for vote in kept]
    keys += [(group_of[vote.participant], vote.network, vote.stack) for vote in kept]
    found = opinions(keys, [vote.participant for vote in kept] * 2, [vote.score for vote in kept] * 2, scale=scale)
    return tuple(
        GroupMosRow(*key, own.n, own.votes, own.mos, own.ci_low, own.ci_high, own.sd)
        for key, own in sorted(found.items(), key=lambda item: [part or "" for part in item[0]])
    )


def group_offset_rows(votes: Sequence[Rating], group_of: Mapping[str, str]) -> tuple[GroupOffsetRow, ...]:
    """A row for each pair of groups, in their order."""
    kept = sorted(votes)
    return tuple(
        _offset(first, second, [vote for vote in kept if group_of[vote.participant] in (first, second)], group_of)
        for first, second in combinations(sorted({group_of[vote.participant] for vote in kept}), 2)
    )


def group_effect_rows(
    votes: Sequence[Rating], group_of: Mapping[str, str], *, pair: tuple[str, str]
) -> tuple[GroupEffectRow, ...]:
    """For each pair of groups, all networks pooled, then each network where there are several.

    `pair` has the first and the second stack. The estimand is that of the hypotheses (`rating_effect`, definition E6)
    in each group, on the sites and networks where both groups rated both stacks. Groups are other people, so the
    variances by participant add; the difference has m - 1 degrees of freedom for m participants of the smaller group.
    A network without such a site, or whose votes cannot tell stacks from participants, has no row.
    """
    first, second = pair
    arms = [vote for vote in votes if vote.stack in pair]
    rows: list[GroupEffectRow] = []
    for one, other in combinations(sorted({group_of[vote.participant] for vote in arms}), 2):
        by_group = [[vote for vote in arms if group_of[vote.participant] == name] for name in (one, other)]
        networks = sorted({vote.network for vote in arms})
        for name, within in [(POOLED, set(networks)), *((each, {each}) for each in networks if len(networks) > 1)]:
            places = _places(by_group[0], within) & _places(by_group[1], within)
            found = [_effect(own, places, second) for own in by_group]
            if found[0] is None or found[1] is None:
                continue
            rows.append(_interaction((one, other, name, first, second, len(places)), found[0], found[1]))
    return tuple(rows)


def _offset(first: str, second: str, votes: Sequence[Rating], group_of: Mapping[str, str]) -> GroupOffsetRow:
    cells = [(vote.clip_sha256, vote.context) for vote in votes]
    side = [group_of[vote.participant] == second for vote in votes]
    people, scores = [vote.participant for vote in votes], [vote.score for vote in votes]
    found = matched_difference(people, cells, side, scores)
    if found is None:
        return GroupOffsetRow(first, second, 0, 0, 0, None, None, None, None, None, None, None, None)
    mos = opinions(list(zip(cells, side, strict=True)), people, scores)
    common = sorted({cell for cell, which in mos if which} & {cell for cell, which in mos if not which})
    agreement = correlate([mos[cell, False].mos for cell in common], [mos[cell, True].mos for cell in common])
    return GroupOffsetRow(
        first_group=first,
        second_group=second,
        clips=found.cells,
        first_n=found.first_participants,
        second_n=found.second_participants,
        offset=found.estimate.value,
        ci_low=found.estimate.ci_low,
        ci_high=found.estimate.ci_high,
        p_value=found.estimate.p_value,
        pearson=agreement.pearson,
        pearson_ci_low=agreement.pearson_ci_low,
        pearson_ci_high=agreement.pearson_ci_high,
        spearman=agreement.spearman,
    )


def _places(votes: Sequence[Rating], networks: set[str]) -> set[tuple[str, str]]:
    """Sites and networks on which both stacks have votes."""
    stacks: dict[tuple[str, str], set[str]] = {}
    for vote in votes:
        if vote.network in networks:
            stacks.setdefault((vote.site, vote.network), set()).add(vote.stack)
    return {place for place, own in stacks.items() if len(own) == 2}


def _effect(votes: Sequence[Rating], places: set[tuple[str, str]], second: str) -> Effect | None:
    """Site and network are one name here: weights stay, and with one site the variance is by participant alone."""
    return rating_effect(
        [
            ArmVote(
                vote.participant, "", f"{vote.network}\n{vote.site}", vote.context, vote.stack == second, vote.score
            )
            for vote in sorted(votes)
            if (vote.site, vote.network) in places
        ]
    )


def _interaction(key: tuple[str, str, str, str, str, int], one: Effect, other: Effect) -> GroupEffectRow:
    variance = None if one.se is None or other.se is None else one.se**2 + other.se**2
    freedom = min(one.participants, other.participants) - 1
    found = estimate(other.estimate - one.estimate, variance or 0.0, 0 if variance is None else freedom)
    return GroupEffectRow(
        *key,
        first_n=one.participants,
        second_n=other.participants,
        first_effect=one.estimate,
        second_effect=other.estimate,
        difference=found.value,
        ci_low=found.ci_low,
        ci_high=found.ci_high,
        p_value=found.p_value,
    )
