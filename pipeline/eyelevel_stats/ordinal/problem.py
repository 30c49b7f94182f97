"""Data and parameters of a cumulative link mixed model."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eyelevel_stats.ordinal.links import Floats, Link

Numbers = NDArray[np.intp]


@dataclass(frozen=True)
class Term:
    """Random effects of one kind of group, for example participants.

    `of` is the group of each score, from 0 to `count` - 1. `columns` (scores x effects) has what each effect of a group
    is multiplied by: a column of ones is a random intercept. The effects of a group are normal and correlated;
    `effects` names them in messages.
    """

    name: str
    of: Numbers
    count: int
    columns: Floats
    effects: tuple[str, ...] = ("intercept",)

    @property
    def width(self) -> int:
        return int(self.columns.shape[1])


def intercepts(name: str, groups: ArrayLike) -> Term:
    """One random intercept for each different name in `groups`."""
    levels, of = np.unique(np.asarray(groups), return_inverse=True)
    return Term(name, of.astype(np.intp), len(levels), np.ones((len(of), 1)))


def intercepts_and_slopes(name: str, groups: ArrayLike, column: Floats) -> Term:
    """A random intercept and a correlated random slope of `column` for each different name in `groups`."""
    term = intercepts(name, groups)
    return Term(name, term.of, term.count, np.column_stack([term.columns, column]), ("intercept", "slope"))


@dataclass(frozen=True)
class Problem:
    """Scores as numbers from 0 to `categories` - 1, fixed predictors (scores x predictors) and random terms.

    A score is below threshold k with the probability F(threshold_k - x beta - z u).

    The parameter vector has the thresholds, the coefficients, and for each term the lower triangle, row by row, of the
    Cholesky factor of its covariance matrix. A factor of 0 is inside the range of the parameters, so that a variance
    of 0 needs no bound; the sign of a column is arbitrary.
    """

    category: Numbers
    categories: int
    predictors: Floats
    terms: tuple[Term, ...]
    link: Link

    @property
    def thresholds(self) -> int:
        return self.categories - 1

    @property
    def fixed(self) -> int:
        """How many parameters are not of random terms."""
        return self.thresholds + int(self.predictors.shape[1])

    @property
    def size(self) -> int:
        return self.fixed + sum(term.width * (term.width + 1) // 2 for term in self.terms)

    def bounds(self, thresholds: Floats, predictor: Floats) -> tuple[Floats, Floats]:
        """Lower and upper bound of the category of each score."""
        ends = np.concatenate([[-np.inf], thresholds, [np.inf]])
        return ends[self.category] - predictor, ends[self.category + 1] - predictor

    def by_threshold(self, of_upper: Floats, of_lower: Floats) -> Floats:
        """Sums over scores by threshold, of what belongs to the upper and to the lower bound of their category."""
        upper = np.bincount(self.category, of_upper, self.categories)[:-1]
        lower = np.bincount(self.category, of_lower, self.categories)[1:]
        return np.asarray(upper + lower, np.float64)

    def factors(self, vector: Floats) -> list[Floats]:
        """The Cholesky factor of each term's covariance matrix."""
        factors, begin = [], self.fixed
        for term in self.terms:
            factor = np.zeros((term.width, term.width))
            rows, columns = np.tril_indices(term.width)
            factor[rows, columns] = vector[begin : begin + len(rows)]
            begin += len(rows)
            factors.append(factor)
        return factors

    def positive(self, vector: Floats) -> Floats:
        """The same model with no negative value on the diagonal of a factor."""
        parts = [vector[: self.fixed]]
        for factor in self.factors(vector):
            signs = np.where(np.diag(factor) < 0, -1.0, 1.0)
            parts.append((factor * signs)[np.tril_indices(len(factor))])
        whole: Floats = np.concatenate(parts)
        return whole


def problem(
    scores: Sequence[int], predictors: Floats, terms: Sequence[Term], link: Link
) -> tuple[Problem, tuple[int, ...]]:
    """The problem, and the scores that its categories stand for; a score that nobody gave has no category.

    Raise ValueError where there are fewer than two different scores, or predictors and scores differ in length.
    """
    distinct, category = np.unique(np.asarray(scores), return_inverse=True)
    if len(distinct) < 2:
        raise ValueError(f"An ordinal model needs two different scores; there are {len(distinct)} in {len(scores)}.")
    if predictors.ndim != 2 or len(predictors) != len(scores) or any(len(term.of) != len(scores) for term in terms):
        raise ValueError(f"Predictors and groups must have one row for each of the {len(scores)} scores.")
    whole = Problem(category.astype(np.intp), len(distinct), predictors.astype(np.float64), tuple(terms), link)
    return whole, tuple(int(score) for score in distinct)
