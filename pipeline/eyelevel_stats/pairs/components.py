"""Davidson's model fitted to each connected component of the pairs of stacks that were asked, by network."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from eyelevel_stats.hypotheses.groups import Groups
from eyelevel_stats.pairs.likelihood import Fit, Floats, NoFit, fit
from eyelevel_stats.pairs.observations import PairVote

# of a direction without bound, smaller steps are rounding
ROUNDING = 1e-6


@dataclass(frozen=True)
class Component:
    """The votes of one network about stacks that pairs connect, and their fit.

    The design's columns are the log worths of all stacks but the first, relative to it, then the side bias if `sided`.
    """

    network: str
    number: int
    stacks: tuple[str, ...]
    votes: tuple[PairVote, ...]
    fit: Fit | NoFit
    sided: bool

    @cached_property
    def participants(self) -> int:
        return len({vote.participant for vote in self.votes})

    @cached_property
    def asked(self) -> Counter[frozenset[str]]:
        """How many votes there are about each pair of stacks, whichever was left."""
        return Counter(frozenset((vote.left_stack, vote.right_stack)) for vote in self.votes)

    @property
    def why(self) -> str | None:
        """Why there is no estimate; None where there is one."""
        if isinstance(self.fit, Fit):
            return None
        if self.fit.direction is None:
            return "every answer is none"
        rising = np.concatenate([[0.0], self.fit.direction[: len(self.stacks) - 1]])
        ahead = rising > rising.max() - ROUNDING
        if ahead.all():
            return "all decided answers name the same side, so no finite estimate exists"
        front, rest = (", ".join(np.array(self.stacks)[side]) for side in (ahead, ~ahead))
        return f"the answers separate {front} from {rest} completely, so no finite estimate exists"


def components(votes: Iterable[PairVote], *, side_bias: bool = True) -> tuple[Component, ...]:
    """All components, sorted by network and their first stack.

    `side_bias` is estimated where both orders of a pair were shown, or else taken as 0. Raise ValueError where both
    sides of a vote show the same stack.
    """
    by_network: dict[str, list[PairVote]] = {}
    for vote in votes:
        if vote.left_stack == vote.right_stack:
            raise ValueError(f"A vote compares {vote.left_stack} with itself; leave such pairs out.")
        by_network.setdefault(vote.network, []).append(vote)
    return tuple(
        _component(network, number, stacks, about, side_bias=side_bias)
        for network, network_votes in sorted(by_network.items())
        for number, (stacks, about) in enumerate(_by_component(network_votes), start=1)
    )


def log_worths(stacks: int, fit: Fit, covariance: Floats) -> tuple[Floats, Floats]:
    """The log worths of all stacks of a component, with mean 0, and their covariance."""
    centre = (np.eye(stacks) - 1 / stacks)[:, 1:]
    return centre @ fit.values[: stacks - 1], centre @ covariance[: stacks - 1, : stacks - 1] @ centre.T


def _by_component(votes: Sequence[PairVote]) -> Iterator[tuple[tuple[str, ...], list[PairVote]]]:
    """Stacks that pairs connect, and the votes about them."""
    components = _connected(votes)
    number = {stack: place for place, stacks in enumerate(components) for stack in stacks}
    votes_of: list[list[PairVote]] = [[] for _ in components]
    for vote in votes:
        votes_of[number[vote.left_stack]].append(vote)
    return zip(components, votes_of, strict=True)


def _connected(votes: Sequence[PairVote]) -> list[tuple[str, ...]]:
    """The stacks that a chain of pairs connects, together."""
    names = sorted({stack for vote in votes for stack in (vote.left_stack, vote.right_stack)})
    place = {name: number for number, name in enumerate(names)}
    pairs = sorted({(place[vote.left_stack], place[vote.right_stack]) for vote in votes})
    graph = sparse.coo_array((np.ones(len(pairs)), np.array(pairs).T), (len(names), len(names)))
    count, label = connected_components(graph, directed=False)
    return sorted(tuple(name for name in names if label[place[name]] == number) for number in range(count))


def _component(
    network: str, number: int, stacks: tuple[str, ...], votes: Sequence[PairVote], *, side_bias: bool
) -> Component:
    pairs = Groups.by([(vote.left_stack, vote.right_stack) for vote in votes])
    design = _design(stacks, dict.fromkeys((vote.left_stack, vote.right_stack) for vote in votes))
    sided = np.column_stack([design, np.ones(len(design))])
    both = side_bias and bool(np.linalg.matrix_rank(sided) == sided.shape[1])
    choices, people = [vote.choice for vote in votes], [vote.participant for vote in votes]
    fitted = fit(sided if both else design, choices, people, of=pairs.of)
    return Component(network, number, stacks, tuple(votes), fitted, both)


def _design(stacks: Sequence[str], pairs: Collection[tuple[str, str]]) -> Floats:
    """A row per pair of left and right stack, in their order."""
    place = {stack: number for number, stack in enumerate(stacks)}
    design = np.zeros((len(pairs), len(stacks)))
    rows = np.arange(len(pairs))
    design[rows, [place[left] for left, _ in pairs]] = 1
    design[rows, [place[right] for _, right in pairs]] = -1
    return design[:, 1:]
