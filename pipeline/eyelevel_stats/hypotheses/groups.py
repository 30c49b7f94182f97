"""Groups of votes, and weighted least squares on two crossed groupings."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Groups:
    """The group of each vote, as a number from 0, and the number of groups."""

    of: NDArray[np.intp]
    count: int

    @classmethod
    def by(cls, names: Sequence[Hashable]) -> "Groups":
        """Numbers groups in the order of their first votes."""
        numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
        return cls(np.fromiter(map(numbers.__getitem__, names), np.intp, len(names)), len(numbers))

    def crossed(self, others: "Groups") -> "Groups":
        """Returns the groups of votes that are together in both groupings."""
        codes, of = np.unique(self.of * others.count + others.of, return_inverse=True)
        return Groups(of, len(codes))

    @cached_property
    def matrix(self) -> sparse.csr_array:
        """Returns the matrix groups x votes: 1 where the vote is in the group."""
        votes = len(self.of)
        return sparse.csr_array((np.ones(votes), (self.of, np.arange(votes))), (self.count, votes))

    def sums(self, values: Floats) -> Floats:
        """Sums values by group; values with one column per set of answers give one column per set."""
        sums: Floats = self.matrix @ values
        return sums


class Fixed:
    """Weighted least squares on participants and cells, by elimination of the participants (Frisch, Waugh, Lovell).

    `count` is the rank of their columns.
    """

    def __init__(self, people: Groups, cells: Groups, weights: Floats) -> None:
        self.people, self.cells, self._weights = people, cells, weights
        self._of_person = people.sums(weights)
        shape = (people.count, cells.count)
        self._both = sparse.csr_array((weights, (people.of, cells.of)), shape)
        shared = self._both.T @ (self._both / self._of_person[:, None])
        # of each connected part of the design, one cell is known by the others: the pseudo-inverse leaves it out
        of_cell = cells.sums(weights)
        sizes, directions = np.linalg.eigh(np.diag(of_cell) - shared.toarray())
        # eigenvalues that differ from 0 by rounding only count as 0, even where all of them do
        known = sizes > of_cell.max() * (people.count + cells.count) * np.finfo(np.float64).eps
        self._inverse = (directions[:, known] / sizes[known]) @ directions[:, known].T
        self.count = people.count + int(known.sum())

    def residuals(self, values: Floats) -> Floats:
        """Computes the residuals on participants and cells; `values` are votes x sets of answers."""
        weighted = self._weights[:, None] * values
        mean = self.people.sums(weighted) / self._of_person[:, None]
        cell = self._inverse @ (self.cells.sums(weighted) - self._both.T @ mean)
        person = mean - (self._both @ cell) / self._of_person[:, None]
        rest: Floats = values - person[self.people.of] - cell[self.cells.of]
        return rest
