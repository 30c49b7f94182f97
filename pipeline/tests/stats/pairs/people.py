"""Votes about pairs, each by another person."""

from eyelevel_stats.pairs.observations import Choice, PairVote

Counts = dict[tuple[str, str], tuple[int, int, int]]
LEFT: list[Choice] = ["left"]
RIGHT: list[Choice] = ["right"]
NONE: list[Choice] = ["none"]


def asked(counts: Counts, network: str = "DSL") -> list[PairVote]:
    """`counts` has, for the stacks left and right, how many chose left, right and none."""
    votes: list[PairVote] = []
    for (left, right), (lefts, rights, nones) in counts.items():
        choices = LEFT * lefts + RIGHT * rights + NONE * nones
        votes += [PairVote(f"p{len(votes) + n}", "s", network, left, right, choice) for n, choice in enumerate(choices)]
    return votes
