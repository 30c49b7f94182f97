"""The difference between two stacks in what people answer, with its variance (definition E6).

Both estimands are means over networks and sites with equal weights:

- of ratings, in points of the scale: score ~ participant + cell + arm by weighted least squares. A cell is a site, a
  network and a context. All votes of a site on a network weigh together as much as those of any other;
- of choices between the two: 1 for the second stack, -1 for the first, 0 for no difference.

Participants are a sample, and so are the sites where the claim is about sites like these. The variance is then
clustered by both (A. C. Cameron, J. B. Gelbach, D. L. Miller, Robust inference with multiway clustering, Journal of
Business & Economic Statistics 29, 2011): that by participant, plus that by site, less that by both, and at least the
larger of the first two. Of ratings it is also at least the variance for independent votes, and the degrees of freedom
are at most the residual ones: where almost as many parameters as votes are fitted, clusters show too little variance,
and whole scores may by chance show none at all (ADR 22). Each part has the factor G / (G - 1) for G clusters, and what
the fitted effects have absorbed of it is restored (see `eyelevel_stats.hypotheses.clusters`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf

import numpy as np
from numpy.typing import NDArray

from eyelevel_core.study.hypotheses import LARGEST_SHARE
from eyelevel_stats.hypotheses.clusters import absorbed, clustered, noise_of, restored
from eyelevel_stats.hypotheses.coded import ArmVote, Choice, CodedVotes, without_gaps
from eyelevel_stats.hypotheses.groups import Fixed, Floats, Groups
from eyelevel_stats.samples import LEAST_PARTICIPANTS, LEAST_SITES

# the residual of the arm on participants and cells: a smaller one is rounding, not a contrast
ROUNDING = 1e-9
# with more residual degrees of freedom, votes without spread are really equal, not fitted exactly by chance
FITTED_BY_CHANCE = 3


@dataclass(frozen=True)
class Effect:
    """The difference second stack minus first, in the unit of the votes.

    `se` and `freedom`, the degrees of Student's t, are for sites like these if `like_these`, else for these very sites;
    None where they cannot be estimated: the fit has as many parameters as votes, or a few fewer and follows all votes
    exactly, or the estimate depends on fewer than two participants. `sd` is the spread of single votes about the fit.
    `site_variance` is the part of the variance se^2 that more participants do not reduce; None where se is. `largest`
    is the largest possible difference of the stacks, to either side; unlimited for ratings, whose effect is fitted.

    `leading` is the site from which the largest part of the estimate comes, in its direction, and that part; None with
    fewer than two sites, or if it was not requested. The parts of all sites sum to the estimate.
    """

    estimate: float
    se: float | None
    freedom: int | None
    like_these: bool
    votes: int
    participants: int
    sites: int
    sd: float | None
    site_variance: float | None = None
    largest: float = inf
    leading: tuple[str, float] | None = None


@dataclass(frozen=True)
class Contrast:
    """The part of an estimate that does not depend on the answers; computed once per design.

    `kept` are the places of the votes that count, among those given. `arm` is the residual of the arm on participants
    and cells; of choices, which compare the stacks themselves, it is 1, and nothing is `fixed`.
    """

    kept: NDArray[np.intp]
    weights: Floats
    arm: Floats
    fixed: Fixed | None
    people: Groups
    sites: Groups

    @property
    def like_these(self) -> bool:
        """Whether the claim is about sites like these; else about these very sites."""
        return self.sites.count >= LEAST_SITES

    def effects(self, answers: Floats) -> list[Effect]:
        """Computes one effect per set of answers; `answers` are votes x sets, all votes given, in their order."""
        values = answers[self.kept]
        if self.fixed is not None:
            values = self.fixed.residuals(values)
        estimates = self._moves @ values
        rest = values - np.outer(self.arm, estimates)
        # they sum to 0
        spreads = self._spreads(rest)
        errors, freedom = self._errors(self._moves[:, None] * rest, spreads)
        counts = (len(rest), self.people.count, self.sites.count)
        like, largest = self.like_these, LARGEST_SHARE if self.fixed is None else inf
        return [
            Effect(float(estimate), se, None if se is None else freedom, like, *counts, sd, of_sites, largest)
            for estimate, (se, of_sites), sd in zip(estimates, errors, spreads, strict=True)
        ]

    def parts_by_site(self, answers: Floats) -> Floats:
        """Computes the part of the estimate from the votes on each site, which sum to it. For one set of answers."""
        values = answers[self.kept][:, None]
        if self.fixed is not None:
            values = self.fixed.residuals(values)
        return self.sites.sums(self._moves * values[:, 0])

    def _errors(
        self, shares: Floats, spreads: Sequence[float | None]
    ) -> tuple[Sequence[tuple[float | None, float | None]], int | None]:
        """Computes the standard error of each estimate, the variance due to sites, and the degrees of freedom."""
        if self._informative < LEAST_PARTICIPANTS or self._left <= 0:
            return [(None, None)] * shares.shape[1], None
        both = self._both
        noise = noise_of(clustered(shares, both), self._absorbed(both))
        variance, freedom = self._variance(shares, self.people, noise), self.people.count - 1
        of_sites = np.zeros_like(variance)
        if self.like_these:
            by_site = self._variance(shares, self.sites, noise)
            of_sites = np.maximum(by_site - noise, 0)
            variance = np.max([variance + by_site - noise, variance, by_site], axis=0)
            freedom = min(self.people.count, self.sites.count) - 1
        if self.fixed is not None:
            independent = np.array(spreads, np.float64) ** 2 * np.sum(self._moves**2)
            variance, freedom = np.maximum(variance, independent), min(freedom, self._left)
            if self._left <= FITTED_BY_CHANCE:
                variance[independent < ROUNDING**2] = np.nan
        errors = zip(np.sqrt(variance), of_sites, strict=True)
        return [
            (None, None) if np.isnan(se) else (float(se), float(site_variance)) for se, site_variance in errors
        ], freedom

    @cached_property
    def _left(self) -> int:
        """The residual degrees of freedom: votes less fitted parameters."""
        return len(self.kept) - (1 if self.fixed is None else self.fixed.count + 1)

    @cached_property
    def _informative(self) -> int:
        """The number of participants on whose votes the estimate depends."""
        return len(np.unique(self.people.of[np.abs(self.arm) > ROUNDING]))

    def _variance(self, shares: Floats, groups: Groups, noise: Floats) -> Floats:
        return restored(clustered(shares, groups), noise, self._absorbed(groups))

    def _absorbed(self, groups: Groups) -> float:
        if self.fixed is None:
            return 0.0
        effects = (self.fixed.people, self.fixed.cells)
        return sum(absorbed(self._moves, self.weights, effect, groups) for effect in effects)

    @cached_property
    def _both(self) -> Groups:
        return self.people.crossed(self.sites)

    @cached_property
    def _moves(self) -> Floats:
        """The influence of one point more in each vote on the estimate."""
        weighted: Floats = self.weights * self.arm
        return weighted / float(weighted @ self.arm)

    def _spreads(self, rest: Floats) -> Sequence[float | None]:
        """Computes the standard deviation of single votes about the fit; None without residual degrees of freedom."""
        if self._left <= 0:
            return [None] * rest.shape[1]
        return [float(error) for error in np.sqrt(self.weights @ rest**2 * len(rest) / self._left)]


def rating_effect(votes: Sequence[ArmVote]) -> Effect | None:
    """Estimates the effect in ratings; None where the votes cannot distinguish the stacks from participants and cells.

    A site counts on a network where both stacks have votes there.
    """
    return effect_of(CodedVotes.of_ratings(votes))


def choice_effect(votes: Sequence[Choice]) -> Effect | None:
    """Estimates the effect in choices; None without votes."""
    return effect_of(CodedVotes.of_choices(votes))


def effect_of(votes: CodedVotes) -> Effect | None:
    """Estimates the effect in ratings or in choices, like `rating_effect` and `choice_effect`."""
    contrast = contrast_of(votes)
    if contrast is None:
        return None
    (effect,) = contrast.effects(votes.values[:, None])
    return replace(effect, leading=_leading(effect.estimate, contrast, votes))


def _leading(estimate: float, contrast: Contrast, votes: CodedVotes) -> tuple[str, float] | None:
    """Returns the site with the largest part of the estimate, and that part; of equal ones that with the first vote.

    Parts that differ only by rounding are equal, because processors round differently.
    """
    if contrast.sites.count < 2:
        return None
    parts = contrast.parts_by_site(votes.values)
    signed = parts if estimate >= 0 else -parts
    first = int(np.argmax(signed >= signed.max() - ROUNDING * abs(signed).max()))
    # without gaps, sites keep their order
    used = np.unique(votes.site.of[contrast.kept])
    return votes.sites[used[first]], float(parts[first])


def rating_contrast(votes: Sequence[ArmVote]) -> Contrast | None:
    """Returns the contrast of `rating_effect`, which does not depend on the scores; None where that is None."""
    return contrast_of(CodedVotes.of_ratings(votes))


def choice_contrast(votes: Sequence[Choice]) -> Contrast | None:
    """Returns the contrast of `choice_effect`, which does not depend on the values; None without votes."""
    return contrast_of(CodedVotes.of_choices(votes))


def contrast_of(votes: CodedVotes) -> Contrast | None:
    """Returns the contrast of `effect_of`, which does not depend on the values; None where that is None."""
    kept = _with_both_arms(votes)
    if not len(kept):
        return None
    votes = votes.at(kept)
    weights = _equal(without_gaps(votes.place))
    people, sites = without_gaps(votes.person), without_gaps(votes.site)
    if votes.second is None:
        return Contrast(kept, weights, np.ones(len(kept)), None, people, sites)
    fixed = Fixed(people, without_gaps(votes.cell), weights)
    arm = fixed.residuals(votes.second[:, None].astype(np.float64))[:, 0]
    if float(weights @ arm**2) < ROUNDING:
        return None
    return Contrast(kept, weights, arm, fixed, people, sites)


def _with_both_arms(votes: CodedVotes) -> NDArray[np.intp]:
    """Returns the places of the votes about sites with both stacks on the vote's network; for choices, all."""
    if votes.second is None:
        return np.arange(len(votes.values))
    has = np.zeros((votes.place.count, 2), dtype=np.bool_)
    has[votes.place.of, votes.second] = True
    return np.flatnonzero((has[:, 0] & has[:, 1])[votes.place.of])


def _equal(places: Groups) -> Floats:
    """Returns weights that sum to 1, with the same sum for each place."""
    size = np.bincount(places.of, minlength=places.count)
    weights: Floats = 1 / (size[places.of] * places.count)
    return weights
