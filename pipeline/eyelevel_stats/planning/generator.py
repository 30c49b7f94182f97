"""Simulated latent opinions, and calibration of the latent shift to a true difference."""

from dataclasses import dataclass

import numpy as np

from eyelevel_stats.hypotheses.groups import Floats, Groups
from eyelevel_stats.planning.asked import Asked, Claim
from eyelevel_stats.planning.latent import Latent

# the difference on the latent scale is searched up to here, in standard deviations of opinions
FARTHEST = 12.0
HALVINGS = 32


@dataclass(frozen=True)
class Drawn:
    """Latent opinions without the shift, votes x studies; `means` are those of each vote's clip over participants."""

    latent: Floats
    means: Floats


def draw(asked: Asked, model: Latent, *, studies: int, rng: np.random.Generator) -> Drawn:
    """Draws the effects of participants, sites, places, clips and votes independently for each study."""
    spreads, arm = model.spreads, asked.arm[:, None]

    def effect(groups: Groups, sd: float) -> Floats:
        effects: Floats = sd * rng.standard_normal((groups.count, studies))[groups.of]
        return effects

    means = model.mean + effect(asked.places, spreads.place) + effect(asked.clips, spreads.clip)
    means = means + arm * effect(asked.sites, spreads.site_slope)
    of_people = effect(asked.people, spreads.participant) + arm * effect(asked.people, spreads.participant_slope)
    return Drawn(means + of_people + spreads.residual * rng.standard_normal(means.shape), means)


def shift_for_sites_like_these(difference: float, model: Latent, arm: float) -> float:
    """The latent shift that makes the mean difference this large over all people, sites and clips that could be drawn.

    `arm` is 1/2 for ratings and 1 for comparisons; `difference` is in points, or one of shares.
    """
    arms = np.array([arm]) if arm == 1 else np.array([-arm, arm])
    means = np.full((len(arms), 1), model.mean)
    signed = np.sign(arms)
    return float(_shift(difference, model, means, arms, signed, sd=model.spreads.over_all(arm))[0])


def shift_for_these_sites(difference: float, model: Latent, asked: Asked, drawn: Drawn, claim: Claim) -> Floats:
    """The latent shift of each study that makes the difference this large on the very sites and clips that it has.

    The difference is a mean over sites, networks, contexts and clips with equal weights.
    """
    rows = claim.rows
    # one vote for each clip in a context, with the weight of all
    cells = Groups.by(list(zip(asked.places.of[rows], asked.clips.of[rows], strict=True)))
    first = rows[np.unique(cells.of, return_index=True)[1]]
    arm = asked.arm[first]
    weights = cells.sums(asked.weights[rows])
    of_arm = {side: weights[arm == side].sum() for side in np.unique(arm)}
    signed = np.sign(arm) * weights / np.array([of_arm[side] for side in arm])
    sd = model.spreads.within(abs(float(arm[0])))
    return _shift(difference, model, drawn.means[first], arm, signed, sd=sd)


def _shift(difference: float, model: Latent, means: Floats, arm: Floats, signed: Floats, *, sd: float) -> Floats:
    """By bisection, one per column of `means`: the mean answer rises with the shift."""
    high = np.full(means.shape[1], FARTHEST * sd)
    low = -high
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        expected = signed @ model.expected(means + np.outer(arm, middle), sd)
        low, high = np.where(expected < difference, middle, low), np.where(expected < difference, high, middle)
    shift: Floats = (low + high) / 2
    return shift
