"""Estimates of a cumulative link model, and what is wrong with them."""

from dataclasses import dataclass

import numpy as np

from eyelevel_stats.ordinal.links import Floats
from eyelevel_stats.ordinal.problem import Problem

# on the latent scale, whose own standard deviation is 1.8 (logit) or 1 (probit)
SINGULAR = 1e-3


@dataclass(frozen=True)
class Variation:
    """Covariance matrix of the random effects of a term, on the latent scale."""

    name: str
    effects: tuple[str, ...]
    covariance: tuple[tuple[float, ...], ...]

    def sd(self, effect: int = 0) -> float:
        return float(np.sqrt(self.covariance[effect][effect]))

    def correlation(self) -> float | None:
        """Of intercept and slope; None where there is no slope, or a variance is 0."""
        if len(self.effects) < 2 or min(self.sd(0), self.sd(1)) < SINGULAR:
            return None
        return max(-1.0, min(1.0, self.covariance[0][1] / (self.sd(0) * self.sd(1))))


@dataclass(frozen=True)
class Fit:
    """Estimates of one model, with the scores that its categories stand for.

    `vector` has all parameters (see `Problem`), `covariance` is that of their estimates. `standard_errors` belong to
    `coefficients`; None where the data do not determine them. `notes` say why a fit did not converge, and which
    variances are 0, which is no error.
    """

    scores: tuple[int, ...]
    thresholds: tuple[float, ...]
    coefficients: tuple[float, ...]
    standard_errors: tuple[float | None, ...]
    variations: tuple[Variation, ...]
    log_likelihood: float
    vector: Floats
    covariance: Floats
    converged: bool
    notes: tuple[str, ...]
    iterations: int


def variations(problem: Problem, vector: Floats) -> tuple[Variation, ...]:
    """The covariance matrix of each term."""
    return tuple(
        Variation(term.name, term.effects, tuple(tuple(row) for row in (factor @ factor.T).tolist()))
        for term, factor in zip(problem.terms, problem.factors(vector), strict=True)
    )


def singular(problem: Problem, vector: Floats) -> list[str]:
    """Which variances are 0, and which intercepts and slopes are perfectly correlated."""
    notes = []
    for term, factor in zip(problem.terms, problem.factors(vector), strict=True):
        sds = np.sqrt(np.diag(factor @ factor.T))
        notes += [
            f"singular fit: the variance of the {effect} of {term.name} is 0"
            for effect, sd in zip(term.effects, sds, strict=True)
            if sd < SINGULAR
        ]
        if term.width > 1 and min(sds) >= SINGULAR and abs(factor[1, 1]) < SINGULAR:
            notes.append(f"singular fit: intercept and slope of {term.name} are perfectly correlated")
    return notes
