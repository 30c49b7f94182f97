"""The difference between two stacks in what people answer, with its variance (definition E6).

Both estimands are means over networks and sites with equal weights:

- of ratings, in points of the scale: score ~ participant + cell + arm by weighted least squares. A cell is a site, a
  network and a context. All votes of a site on a network weigh together as much as those of any other;
- of choices between the two: 1 for the second stack, -1 for the first, 0 for no difference.

Participants are a sample, and so are the sites where the claim is about sites like these. The variance is then
clustered by both (A. C. Cameron, J. B. Gelbach, D. L. Miller, Robust inference with multiway clustering, Journal of
Business & Economic Statistics 29, 2011), each part with the factor G / (G - 1) for G clusters.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

# with fewer, a claim is about these very sites
LEAST_SITES = 5
LEAST_PARTICIPANTS = 2
# what participants and cells leave of the arm: less is no contrast but rounding
ROUNDING = 1e-9

Floats = NDArray[np.float64]


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
class Effect:
    """What the second stack has more than the first, in the unit of the votes.

    `se` and `freedom`, the degrees of Student's t, are for sites like these if `like_these`, else for these very sites;
    None where there are fewer than two participants. `sd` is the spread of single votes about what was fitted.
    """

    estimate: float
    se: float | None
    freedom: int | None
    like_these: bool
    votes: int
    participants: int
    sites: int
    sd: float | None


@dataclass(frozen=True)
class Groups:
    """Which group each vote belongs to, as a number from 0, and how many groups there are."""

    of: NDArray[np.intp]
    count: int

    @classmethod
    def by(cls, names: Sequence[Hashable]) -> "Groups":
        numbers: dict[Hashable, int] = {}
        of = np.fromiter((numbers.setdefault(name, len(numbers)) for name in names), np.intp, len(names))
        return cls(of, len(numbers))

    def crossed(self, others: "Groups") -> "Groups":
        """The groups of votes that are together in both."""
        found, of = np.unique(self.of * others.count + others.of, return_inverse=True)
        return Groups(of, len(found))

    def sums(self, values: Floats) -> Floats:
        sums: Floats = np.bincount(self.of, values, self.count).astype(np.float64, copy=False)
        return sums


def rating_effect(votes: Sequence[ArmVote]) -> Effect | None:
    """None where the votes cannot tell the stacks from participants and cells.

    A site counts on a network where both stacks have votes there.
    """
    arms: dict[tuple[str, str], set[bool]] = {}
    for vote in votes:
        arms.setdefault((vote.site, vote.network), set()).add(vote.second)
    votes = [vote for vote in votes if len(arms[vote.site, vote.network]) == 2]
    if not votes:
        return None
    weights = _equal([(vote.site, vote.network) for vote in votes])
    people = Groups.by([vote.participant for vote in votes])
    fixed = _Fixed(people, Groups.by([(vote.site, vote.network, vote.context) for vote in votes]), weights)
    arm = fixed.residuals(np.array([float(vote.second) for vote in votes]))
    score = fixed.residuals(np.array([vote.score for vote in votes]))
    information = float(weights @ arm**2)
    if information < ROUNDING:
        return None
    estimate = float(weights @ (arm * score)) / information
    rest = score - estimate * arm
    sites = Groups.by([vote.site for vote in votes])
    return _effect(estimate, weights * arm * rest / information, people, sites, _spread(rest, weights, fixed.count + 1))


def choice_effect(votes: Sequence[Choice]) -> Effect | None:
    """None without votes."""
    if not votes:
        return None
    weights = _equal([(vote.site, vote.network) for vote in votes])
    values = np.array([vote.value for vote in votes])
    estimate = float(weights @ values)
    rest = values - estimate
    people, sites = (Groups.by([getattr(vote, name) for vote in votes]) for name in ("participant", "site"))
    return _effect(estimate, weights * rest, people, sites, _spread(rest, weights, 1))


def _equal(places: Sequence[tuple[str, str]]) -> Floats:
    """Weights that sum to 1, with the same sum for each place."""
    groups = Groups.by(places)
    size = groups.sums(np.ones(len(places)))
    weights: Floats = 1 / (size[groups.of] * groups.count)
    return weights


class _Fixed:
    """Weighted least squares on participants and cells, by elimination of the participants (Frisch, Waugh, Lovell)."""

    def __init__(self, people: Groups, cells: Groups, weights: Floats) -> None:
        self._people, self._cells, self._weights = people, cells, weights
        self._of_person = people.sums(weights)
        shape = (people.count, cells.count)
        self._both = sparse.csr_array((weights, (people.of, cells.of)), shape)
        shared = self._both.T @ (self._both / self._of_person[:, None])
        # of each connected part of the design, one cell is known by the others
        self._inverse = np.linalg.pinv(np.diag(cells.sums(weights)) - shared.toarray(), hermitian=True)
        self.count = people.count + int(np.linalg.matrix_rank(self._inverse, hermitian=True))

    def residuals(self, values: Floats) -> Floats:
        """What participants and cells do not explain."""
        weighted = self._weights * values
        mean = self._people.sums(weighted) / self._of_person
        cell = self._inverse @ (self._cells.sums(weighted) - self._both.T @ mean)
        person = mean - (self._both @ cell) / self._of_person
        rest: Floats = values - person[self._people.of] - cell[self._cells.of]
        return rest


def _effect(estimate: float, shares: Floats, people: Groups, sites: Groups, sd: float | None) -> Effect:
    """`shares`: how far each vote moves the estimate; they sum to 0."""
    like_these = sites.count >= LEAST_SITES
    variance = freedom = None
    if people.count >= LEAST_PARTICIPANTS:
        variance, freedom = _clustered(shares, people), people.count - 1
        if like_these:
            by_site = _clustered(shares, sites)
            both = _clustered(shares, people.crossed(sites))
            variance = max(variance + by_site - both, variance, by_site)
            freedom = min(people.count, sites.count) - 1
    return Effect(
        estimate=estimate,
        se=None if variance is None else sqrt(variance),
        freedom=freedom,
        like_these=like_these,
        votes=len(shares),
        participants=people.count,
        sites=sites.count,
        sd=sd,
    )


def _clustered(shares: Floats, groups: Groups) -> float:
    """The variance of an estimate whose votes are independent between groups."""
    return float(np.sum(groups.sums(shares) ** 2)) * groups.count / (groups.count - 1)


def _spread(rest: Floats, weights: Floats, fitted: int) -> float | None:
    """The standard deviation of single votes about the fit; None where nothing is left to know it by."""
    freedom = len(rest) - fitted
    return sqrt(float(weights @ rest**2) * len(rest) / freedom) if freedom > 0 else None
