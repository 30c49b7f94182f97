"""Votes of participants about clips as arrays, their connectivity, and the additive least-squares fit."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse
from scipy.sparse import csgraph

Floats = NDArray[np.float64]
Codes = NDArray[np.intp]


def numbered(names: Sequence[Any]) -> tuple[tuple[Any, ...], Codes]:
    """Returns the distinct names (sortable), sorted, and the number of each entry among them, from 0."""
    distinct = tuple(sorted(set(names)))
    place = {name: number for number, name in enumerate(distinct)}
    return distinct, np.fromiter((place[name] for name in names), np.intp, len(names))


@dataclass(frozen=True)
class Crossing:
    """Scores by participant and clip; several votes of one participant on one clip are averaged.

    `people` and `clips` are names in their order. `person`, `clip` and `score` have one entry per participant and clip.
    """

    people: tuple[str, ...]
    clips: tuple[str, ...]
    person: Codes
    clip: Codes
    score: Floats

    def votes_of_people(self) -> NDArray[np.intp]:
        return np.bincount(self.person, minlength=len(self.people))

    def votes_of_clips(self) -> NDArray[np.intp]:
        return np.bincount(self.clip, minlength=len(self.clips))

    def is_complete(self) -> bool:
        """Whether every participant rated every clip."""
        return len(self.score) == len(self.people) * len(self.clips)

    def mos(self) -> Floats:
        """Computes the mean of the participants' scores per clip."""
        mean: Floats = np.bincount(self.clip, self.score, len(self.clips)) / self.votes_of_clips()
        return mean


def crossing(participants: Sequence[str], clips: Sequence[str], scores: Sequence[float]) -> Crossing:
    """Builds a crossing from columns with one entry per vote. Raise ValueError for other lengths or unknown scores."""
    if not len(participants) == len(clips) == len(scores):
        raise ValueError(f"Columns differ in length: {len(participants)}, {len(clips)}, {len(scores)}.")
    values = np.asarray(scores, dtype=np.float64)
    if not np.isfinite(values).all():
        raise ValueError("A score is not a finite number; leave unknown scores out.")
    (people, person), (shown, clip) = numbered(participants), numbered(clips)
    pairs, pair = np.unique(person * max(len(shown), 1) + clip, return_inverse=True)
    # sorted first: the same votes in another order give the same floats
    order = np.lexsort((values, pair))
    mean = np.bincount(pair[order], values[order], len(pairs)) / np.bincount(pair, minlength=len(pairs))
    return Crossing(people, shown, pairs // max(len(shown), 1), pairs % max(len(shown), 1), mean)


def parts(person: Codes, cell: Codes) -> tuple[int, Codes]:
    """Returns the number of connected parts of the graph of participants and rated cells, and each cell's part.

    Two parts have no common participant, so a difference of clips cannot be distinguished from one of participants.
    """
    if not len(person):
        return 0, np.zeros(0, np.intp)
    people, cells = int(person.max()) + 1, int(cell.max()) + 1
    joined = sparse.coo_array((np.ones(len(person)), (person, people + cell)), shape=(people + cells, people + cells))
    count, label = csgraph.connected_components(joined, directed=False)
    return int(count), label[people:].astype(np.intp)


class Additive:
    """Least squares on a level per participant and a level per cell, with any number of votes in each.

    The normal equations are reduced to the smaller of the two factors, one level per connected part is fixed at 0, and
    the rest is solved by Cholesky's method. `freedom` is the number of votes minus the rank of the fit.
    """

    def __init__(self, person: Codes, cell: Codes) -> None:
        self._many, self._few = (cell, person) if person.max() < cell.max() else (person, cell)
        count, part = parts(self._many, self._few)
        many, few = np.bincount(self._many), np.bincount(self._few)
        self._size = many
        self._both = sparse.csr_array((np.ones(len(person)), (self._many, self._few)), shape=(len(many), len(few)))
        matrix = np.diag(few.astype(np.float64)) - (self._both.T @ (self._both / many[:, None])).toarray()
        fixed = np.unique(part, return_index=True)[1]
        self._free = np.setdiff1d(np.arange(len(few)), fixed)
        self._factor = linalg.cho_factor(matrix[np.ix_(self._free, self._free)]) if len(self._free) else None
        self.freedom = len(person) - len(many) - len(few) + count

    def residuals(self, values: Floats) -> Floats:
        """Computes the part of the values that neither factor explains; one entry per vote."""
        mean = np.bincount(self._many, values, len(self._size)) / self._size
        level = np.zeros(self._both.shape[1])
        if self._factor is not None:
            target = np.bincount(self._few, values, len(level)) - self._both.T @ mean
            level[self._free] = linalg.cho_solve(self._factor, target[self._free])
        other = mean - (self._both @ level) / self._size
        rest: Floats = values - other[self._many] - level[self._few]
        return rest
