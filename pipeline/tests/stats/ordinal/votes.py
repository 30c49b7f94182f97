"""Votes drawn from a cumulative logit mixed model with crossed random effects."""

import numpy as np

from eyelevel_stats.ordinal.effect import OrdinalVote

CUTS = (-3.0, -2.0, -1.0, 0.0, 1.0, 2.0)


def drawn(
    seed: int, *, participants: int, sites: int, networks: int, each: int, effect: float, clips: int = 1
) -> list[OrdinalVote]:
    """`each`: how many clips a participant rates; `clips`: how many there are of a site, network and stack."""
    rng = np.random.default_rng(seed)
    shape = (sites, networks, 2, clips)
    people, places = rng.normal(0, (1.0, 0.5), (participants, 2)), rng.normal(0, (0.7, 0.4), (sites, 2))
    clip_effects, network = rng.normal(0, 0.3, shape), rng.normal(0, 1, networks)
    votes = []
    for person, (level, gain) in enumerate(people):
        for number in rng.permutation(int(np.prod(shape)))[:each]:
            site, net, arm, clip = (int(index) for index in np.unravel_index(number, shape))
            latent = network[net] + level + places[site, 0] + clip_effects[site, net, arm, clip] + rng.logistic()
            latent += (effect + gain + places[site, 1]) * (arm - 0.5)
            score = 1 + int(np.searchsorted(CUTS, latent))
            name = f"s{site}-n{net}-{arm}-{clip}"
            votes.append(OrdinalVote(f"p{person}", f"s{site}", name, f"n{net}", arm == 1, score))
    return votes
