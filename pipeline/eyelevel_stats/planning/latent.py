"""Latent model of simulated votes: normal effects, cut into answers (definition E13).

latent = mean + participant + place + clip + arm * (shift + participant's slope + site's slope) + residual

All effects are normal. A place is a site, a network and a context. The arm is -1/2 for the first stack and 1/2 for the
second in ratings, and 1 in comparisons, whose answer is about both stacks. An answer is the number of cuts below the
latent opinion: an ordered probit model (R. D. McKelvey, W. Zavoina, A statistical model for the analysis of ordinal
level dependent variables, Journal of Mathematical Sociology 4, 1975). The analysis fits a linear model to the answers,
so the simulated votes do not follow the fitted model.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy import special

Floats = NDArray[np.float64]

# the answers 1 to 7, cut half-way between whole points
RATING_CUTS = tuple(score + 0.5 for score in range(1, 7))
MIDDLE = 4.0
# the variance that rounding to whole points adds (W. F. Sheppard, Proceedings of the London Mathematical Society 29,
# 1898)
ROUNDING = 1 / 12
# Of the variance of the scores of one clip. In the public Netflix data (26 people, 79 videos) participants account for
# 0.18 of it; people who are not invited to a laboratory differ more.
PARTICIPANT_SHARE = 0.25
# Standard deviations, as a share of that of the scores of one clip. No published study of page loads reports them: two
# stacks differ little, so people and sites differ little in how much; a clip is one of several runs. Pages differ more.
PARTICIPANT_SLOPE = SITE_SLOPE = 0.25
CLIP = 0.15
PLACE = 0.6
# Share of comparisons without a difference where there is none: each of the three answers is equally frequent.
NO_DIFFERENCE = 1 / 3
# in comparisons, standard deviations over that of a single answer
CHOICE_SLOPE = 0.25
CHOICE_CLIP = 0.15


@dataclass(frozen=True)
class Spreads:
    """Standard deviations of the effects: in points for ratings, and over `residual` for comparisons.

    `participant_slope` and `site_slope` are those of the difference between the stacks.
    """

    participant: float
    place: float
    clip: float
    participant_slope: float
    site_slope: float
    residual: float

    def within(self, arm: float) -> float:
        """The standard deviation of latent opinions about one clip."""
        return sqrt(self.participant**2 + self.residual**2 + (arm * self.participant_slope) ** 2)

    def over_all(self, arm: float) -> float:
        """The standard deviation of latent opinions about clips of any site."""
        return sqrt(self.within(arm) ** 2 + self.place**2 + self.clip**2 + (arm * self.site_slope) ** 2)


@dataclass(frozen=True)
class Latent:
    """Mean and spreads of opinions, and the cuts between answers; `lowest` is the answer below the first cut."""

    mean: float
    spreads: Spreads
    cuts: tuple[float, ...]
    lowest: float

    def answers(self, latent: Floats) -> Floats:
        return self.lowest + np.searchsorted(self.cuts, latent).astype(np.float64)

    def expected(self, mean: Floats, sd: float) -> Floats:
        """The mean answer where latent opinions are normal with this mean and standard deviation."""
        expected: Floats = self.lowest + special.ndtr((mean[..., None] - np.array(self.cuts)) / sd).sum(axis=-1)
        return expected


def assumed_ratings(sd: float) -> Latent:
    """Ratings without a pilot; `sd` is the standard deviation of the scores of one clip, in points."""
    slope = PARTICIPANT_SLOPE * sd
    participant = PARTICIPANT_SHARE * sd**2
    # scores of one clip vary by participant, slope, rest and rounding
    residual = sd**2 - participant - slope**2 / 4 - ROUNDING
    spreads = Spreads(sqrt(participant), PLACE * sd, CLIP * sd, slope, SITE_SLOPE * sd, sqrt(max(residual, ROUNDING)))
    return Latent(MIDDLE, spreads, RATING_CUTS, 1.0)


def assumed_choices() -> Latent:
    """Comparisons without a pilot."""
    return choices(Spreads(0.0, 0.0, CHOICE_CLIP, CHOICE_SLOPE, CHOICE_SLOPE, 1.0), NO_DIFFERENCE)


def choices(spreads: Spreads, no_difference: float) -> Latent:
    """Comparisons; `no_difference` is the share of such answers where the stacks do not differ."""
    cut = spreads.over_all(1.0) * float(special.ndtri((1 + no_difference) / 2))
    return Latent(0.0, spreads, (-cut, cut), -1.0)
