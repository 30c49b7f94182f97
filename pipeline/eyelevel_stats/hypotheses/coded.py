"""Votes of one claim as numbers, from which subsets by participant are selected without a loop over votes."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from eyelevel_stats.hypotheses.groups import Floats, Groups


class ArmVote(NamedTuple):
    """One rating of a clip of either stack; `second` where it is the second one of the pair."""

    participant: str
    site: str
    network: str
    context: str
    second: bool
    score: float


class Choice(NamedTuple):
    """One answer about both stacks: 1 where the second was chosen, -1 where the first was, 0 for no difference."""

    participant: str
    site: str
    network: str
    value: float


@dataclass(frozen=True)
class CodedVotes:
    """Each array has an entry per vote; numbers of groups need not be without gaps.

    `people` and `sites` are the names of participants and of sites by number. A place is a site and a network, a cell a
    place and a context; `second` is 1 for the second stack, and None for choices, which compare both.
    """

    people: tuple[str, ...]
    sites: tuple[str, ...]
    person: Groups
    site: Groups
    place: Groups
    cell: Groups
    second: NDArray[np.intp] | None
    values: Floats

    @classmethod
    def of_ratings(cls, votes: Sequence[ArmVote]) -> "CodedVotes":
        people, person = _named([vote.participant for vote in votes])
        sites, site = _named([vote.site for vote in votes])
        return cls(
            people,
            sites,
            person,
            site,
            Groups.by([(vote.site, vote.network) for vote in votes]),
            Groups.by([(vote.site, vote.network, vote.context) for vote in votes]),
            np.array([vote.second for vote in votes], dtype=np.intp),
            np.array([vote.score for vote in votes], dtype=np.float64),
        )

    @classmethod
    def of_choices(cls, votes: Sequence[Choice]) -> "CodedVotes":
        people, person = _named([vote.participant for vote in votes])
        place = Groups.by([(vote.site, vote.network) for vote in votes])
        sites, site = _named([vote.site for vote in votes])
        values = np.array([vote.value for vote in votes], dtype=np.float64)
        return cls(people, sites, person, site, place, place, None, values)

    def by(self, participants: Collection[str]) -> "CodedVotes":
        """Returns the votes of these participants."""
        wanted = np.fromiter((name in participants for name in self.people), np.bool_, len(self.people))
        return self.at(np.flatnonzero(wanted[self.person.of]))

    def at(self, places: NDArray[np.intp]) -> "CodedVotes":
        """Returns the votes at these places, in this order."""
        return CodedVotes(
            self.people,
            self.sites,
            # the numbers stay, as those of people and sites are places in `people` and `sites`
            person=Groups(self.person.of[places], self.person.count),
            site=Groups(self.site.of[places], self.site.count),
            place=Groups(self.place.of[places], self.place.count),
            cell=Groups(self.cell.of[places], self.cell.count),
            second=None if self.second is None else self.second[places],
            values=self.values[places],
        )


def _named(names: Sequence[str]) -> tuple[tuple[str, ...], Groups]:
    return tuple(dict.fromkeys(names)), Groups.by(names)


def without_gaps(groups: Groups) -> Groups:
    """Returns the same groups with consecutive numbers, in the same order; removes groups without a vote."""
    used = np.zeros(groups.count, dtype=np.bool_)
    used[groups.of] = True
    number = np.cumsum(used) - 1
    return Groups(number[groups.of], int(used.sum()))
