"""Cumulative link model without random effects, by maximum likelihood."""

from collections.abc import Sequence

from eyelevel_stats.ordinal.estimates import Fit
from eyelevel_stats.ordinal.fit import maximise
from eyelevel_stats.ordinal.laplace import Laplace
from eyelevel_stats.ordinal.links import Floats, Link
from eyelevel_stats.ordinal.problem import problem


def clm(scores: Sequence[int], predictors: Floats, *, link: Link = Link.LOGIT) -> Fit:
    """Fits P(score <= k) = F(threshold_k - x beta) (P. McCullagh, JRSS B 42, 1980).

    `predictors` is scores x predictors, without a constant column, which the thresholds stand for. With the logit link,
    a coefficient is the log odds ratio of a higher score.

    Raise ValueError where there are fewer than two different scores, or lengths differ.
    """
    whole, found = problem(scores, predictors, (), link)
    # without random effects, the approximation is the likelihood itself
    return maximise(whole, found, Laplace)
