"""Tables of groups side by side: rows and columns."""

from dataclasses import dataclass

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
