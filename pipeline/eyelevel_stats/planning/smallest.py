"""Smallest detectable effect of a study, by its number of participants."""

from math import asin, pi, sin, sqrt

from scipy import special

from eyelevel_stats.arms.power import noncentrality


def smallest_mos_difference(participants: int, *, sd: float, alpha: float, power: float) -> float | None:
    """The smallest difference of two MOS, in points, that a two-sample t test finds with this power.

    `participants` rate each of the two conditions, others each; `sd` is that of their scores. Two-sided at `alpha`:
    delta = ncp * sd * sqrt(2 / n), where the noncentral t distribution with 2 (n - 1) degrees of freedom and the
    noncentrality ncp gives the power (J. Cohen, Statistical Power Analysis, 2nd ed. 1988, chapter 2). None where
    fewer than 2 rate each. Who rates both is counted as two people: a paired test would find less.
    """
    if participants < 2:
        return None
    if power <= alpha / 2:  # chance alone finds so much
        return 0.0
    return noncentrality(2 * (participants - 1), alpha, power) * sd * sqrt(2 / participants)


def smallest_share(participants: int, *, alpha: float, power: float) -> float | None:
    """The smallest share above 1/2 that can be told from 1/2 with this power, if so many name a side.

    Two-sided at `alpha`, by the arcsine of the root, which makes the spread the same for every share:
    h = 2 asin sqrt p - 2 asin sqrt 1/2 = (z(1 - alpha/2) + z(power)) / sqrt n (Cohen 1988, section 6.3.2). None where
    not even all of them would be enough.
    """
    if participants < 1:
        return None
    h = max(0.0, float(special.ndtri(1 - alpha / 2) + special.ndtri(power)) / sqrt(participants))
    # the largest that h can be: everyone names the same side
    if h > pi / 2:
        return None
    return sin((h + 2 * asin(sqrt(0.5))) / 2) ** 2
