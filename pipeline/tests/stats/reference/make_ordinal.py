"""Makes ordinal_votes.csv, to which clmm.R fits our model with R's package ordinal.

PYTHONPATH=pipeline python pipeline/tests/stats/reference/make_ordinal.py
"""

import csv
from pathlib import Path

import numpy as np

from eyelevel_stats.ordinal.effect import OrdinalVote

HERE = Path(__file__).parent


def votes() -> list[OrdinalVote]:
    """24 participants rate 20 of 48 clips: 6 sites, 2 networks, 2 stacks, 2 clips of each."""
    rng = np.random.default_rng(11)
    people, places = rng.normal(0, (1.0, 0.9), (24, 2)), rng.normal(0, (0.8, 0.7), (6, 2))
    clip_effects = rng.normal(0, 0.5, (6, 2, 2, 2))
    found = []
    for person, (level, gain) in enumerate(people):
        for number in sorted(rng.permutation(clip_effects.size)[:20]):
            site, network, arm, clip = (int(index) for index in np.unravel_index(number, clip_effects.shape))
            latent = network - 0.5 + level + places[site, 0] + clip_effects[site, network, arm, clip] + rng.logistic()
            latent += (0.7 + gain + places[site, 1]) * (arm - 0.5)
            score = 1 + int(np.searchsorted((-2.5, -1.5, -0.5, 0.5, 1.5, 2.5), latent))
            name = f"{site}{network}{arm}{clip}"
            found.append(OrdinalVote(f"p{person}", f"s{site}", name, ("DSL", "LTE")[network], arm == 1, score))
    return found


def main() -> None:
    with (HERE / "ordinal_votes.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(OrdinalVote._fields)
        writer.writerows([*row[:4], int(row.arm), row.score] for row in votes())


if __name__ == "__main__":
    main()
