"""Cumulative link mixed model, by quadrature for one random intercept or by the Laplace approximation."""

from collections.abc import Sequence

from eyelevel_stats.ordinal.estimates import Fit
from eyelevel_stats.ordinal.fit import Progress, maximise
from eyelevel_stats.ordinal.laplace import Laplace
from eyelevel_stats.ordinal.links import Floats, Link
from eyelevel_stats.ordinal.problem import Term, problem
from eyelevel_stats.ordinal.quadrature import quadrature


def clmm(
    scores: Sequence[int],
    predictors: Floats,
    terms: Sequence[Term],
    *,
    link: Link = Link.LOGIT,
    nodes: int = 1,
    progress: Progress | None = None,
) -> Fit:
    """Fits P(score <= k) = F(threshold_k - x beta - z u) with normal random effects u.

    `predictors` is scores x predictors, without a constant column, which the thresholds stand for. With the logit link,
    a coefficient is the log odds ratio of a higher score. Without terms, this is the cumulative link model of P.
    McCullagh (JRSS B 42, 1980), and the approximation is the likelihood itself.

    With one node, the default, random effects may be crossed and have slopes: Laplace approximation, as `clmm` of R's
    package ordinal (R. H. B. Christensen). More nodes are for one random intercept: adaptive Gauss-Hermite quadrature.
    Standard errors are from the observed information of all parameters.

    Raise ValueError where there are fewer than two different scores, lengths differ, or nodes do not fit the terms.
    """
    whole, given_scores = problem(scores, predictors, terms, link)
    if nodes == 1:
        return maximise(whole, given_scores, Laplace, progress)
    return maximise(whole, given_scores, lambda standard: quadrature(standard, nodes), progress)
