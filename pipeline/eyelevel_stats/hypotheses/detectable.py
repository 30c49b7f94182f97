"""The smallest difference that a study of the planned size finds, given how the votes vary (definitions E7 and E13)."""

from math import sqrt

from eyelevel_stats.arms.power import noncentrality
from eyelevel_stats.hypotheses.estimand import Effect
from eyelevel_stats.samples import LEAST_PARTICIPANTS


def detectable(effect: Effect, *, growth: float, alpha: float, power: float) -> float | None:
    """Computes the smallest true difference, in the effect's unit, whose interval excludes 0 with probability `power`.

    The study has `growth` times the participants of the effect, and the same sites, at the two-sided level `alpha`.
    The part of the variance due to participants and single votes is divided by `growth`; that due to sites stays. The
    difference is the standard error times the noncentrality of Student's t that gives the power (J. Cohen, Statistical
    power analysis for the behavioral sciences, 2nd ed. 1988, chapter 2). Simulated studies with these variances
    (`eyelevel_stats.planning.power`) agree with it. None where the variance is unknown, or fewer than two participants
    would be left. Raise ValueError unless growth > 0 and 0 < power < 1.
    """
    if growth <= 0 or not 0 < power < 1:
        raise ValueError(f"growth must be above 0, and power between 0 and 1; got {growth:g} and {power:g}.")
    people = int(growth * effect.participants + 1e-9)
    if effect.se is None or effect.site_variance is None or people < LEAST_PARTICIPANTS:
        return None
    if power <= alpha / 2:  # chance alone finds so much
        return 0.0
    variance = (effect.se**2 - effect.site_variance) / growth + effect.site_variance
    freedom = (min(people, effect.sites) if effect.like_these else people) - 1
    return noncentrality(freedom, alpha, power) * sqrt(max(variance, 0.0))
