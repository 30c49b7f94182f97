"""Log probability of an ordinal category and its derivatives, for the logit and the probit link.

A category is the interval of a latent variable between a lower and an upper bound (P. McCullagh, Regression models for
ordinal data, JRSS B 42, 1980). Each bound is a threshold minus the linear predictor.
"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray
from scipy import special

Floats = NDArray[np.float64]


class Link(StrEnum):
    """Distribution of the latent variable: logistic, or normal."""

    LOGIT = "logit"
    PROBIT = "probit"


@dataclass(frozen=True)
class Slopes:
    """Derivatives of the probability P of a category by its bounds, each divided by P.

    `upper` has the first, second and third derivative by the upper bound, `lower` those by the lower bound; 0 where a
    bound is infinite. Mixed derivatives of P are 0, so that these give all derivatives of log P.
    """

    log_p: Floats
    upper: tuple[Floats, Floats, Floats]
    lower: tuple[Floats, Floats, Floats]

    @property
    def score(self) -> Floats:
        """First derivative of log P by the linear predictor, which lowers both bounds."""
        return -(self.upper[0] + self.lower[0])

    @property
    def weight(self) -> Floats:
        """Minus the second derivative of log P by the linear predictor; not negative, since both links are concave."""
        first = self.upper[0] + self.lower[0]
        weight: Floats = np.maximum(first**2 - self.upper[1] - self.lower[1], 0)
        return weight


def slopes(link: Link, lower: Floats, upper: Floats) -> Slopes:
    """`lower` < `upper`, infinite at the ends of the scale."""
    return _logistic(lower, upper) if link is Link.LOGIT else _normal(lower, upper)


def log_probability(link: Link, lower: Floats, upper: Floats) -> Floats:
    """Log P of the categories alone."""
    if link is Link.LOGIT:
        return _logistic_log_p(lower, upper)
    return _normal_log_p(lower, upper)


def cumulative(link: Link, bound: Floats) -> Floats:
    """The probability that the latent variable is below the bound."""
    below: Floats = special.expit(bound) if link is Link.LOGIT else special.ndtr(bound)
    return below


def quantile(link: Link, share: Floats) -> Floats:
    """The bound below which the latent variable is with that probability."""
    bound: Floats = special.logit(share) if link is Link.LOGIT else special.ndtri(share)
    return bound


def _logistic_log_p(lower: Floats, upper: Floats) -> Floats:
    # F(u) - F(l) = F(u) F(-l) (1 - exp(l - u)), without cancellation
    log_p: Floats = special.log_expit(upper) + special.log_expit(-lower) + np.log(-np.expm1(lower - upper))
    return log_p


def _logistic(lower: Floats, upper: Floats) -> Slopes:
    below_upper, below_lower = special.expit(upper), special.expit(lower)
    above_upper, above_lower = special.expit(-upper), special.expit(-lower)
    gap = -np.expm1(lower - upper)
    # ratios by their logarithms: far from 0, both probabilities are 0 as numbers
    by_upper = np.exp(special.log_expit(-upper) - special.log_expit(-lower)) / gap
    by_lower = -np.exp(special.log_expit(lower) - special.log_expit(upper)) / gap
    return Slopes(
        _logistic_log_p(lower, upper),
        (by_upper, by_upper * (1 - 2 * below_upper), by_upper * (1 - 6 * below_upper * above_upper)),
        (by_lower, by_lower * (1 - 2 * below_lower), by_lower * (1 - 6 * below_lower * above_lower)),
    )


def _normal_log_p(lower: Floats, upper: Floats) -> Floats:
    # by symmetry to the side where both tails are small, so that their difference keeps its digits
    flip = lower + upper > 0
    low, high = np.where(flip, -upper, lower), np.where(flip, -lower, upper)
    top = special.log_ndtr(high)
    log_p: Floats = top + np.log(-np.expm1(special.log_ndtr(low) - top))
    return log_p


def _normal(lower: Floats, upper: Floats) -> Slopes:
    log_p = _normal_log_p(lower, upper)
    parts: list[tuple[Floats, Floats, Floats]] = []
    for sign, bound in ((1, upper), (-1, lower)):
        density = sign * np.exp(-(bound**2) / 2 - np.log(2 * np.pi) / 2 - log_p)
        # the density is 0 at an infinite bound, and so are its derivatives
        at = np.where(np.isfinite(bound), bound, 0)
        parts.append((density, -at * density, (at**2 - 1) * density))
    return Slopes(log_p, *parts)
