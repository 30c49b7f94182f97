"""Coverage of the Wald intervals of `ordinal-effects`, by a cumulative logit mixed model, on simulated studies.

    tests/bench/coverage_ordinal.py [--studies 300] [--sites 30 9 5] [--seed 1]

The interval is for people, sites and clips like these. Its true value is the log odds ratio of a higher score on the
second stack for one person, site and clip; where it differs between people, sites and networks, its mean over them,
with equal weights. The generators have logistic noise, so that this value is one of their parameters: 0 in every other
study, and 1 in the rest. What the model does not describe: the effects of people, sites and clips have heavy tails; a
site differs by network; sites are asked unequally often; dissatisfied people leave early. The last generator has noise
with heavy tails, for which there is no such ratio. Its true value is always 0, as both stacks have the same scores on
average.

Prints for 30, 9 and 5 sites how many of the 95 % intervals contain the true value, with their median width, and how
many studies have no interval. Status 1 where, by more than chance, coverage with 30 sites is below 93.5 %, or where
more than 2 % of the studies have no interval. Coverage with 9 and 5 sites has no bound.
"""

import argparse
import sys
from dataclasses import dataclass
from itertools import product
from statistics import median

import numpy as np
from coverage_verdicts import TAILS, Floats, Generator, beyond, design

from eyelevel_stats.ordinal.effect import OrdinalVote, arm_effect
from eyelevel_stats.rows.answers import OrdinalEffect

LEAST, MANY_SITES = 0.935, 30
SITES = (MANY_SITES, 9, 5)
MOST_MISSING = 0.02
# log odds ratios of the second stack, in turn, and by how much networks differ from them
EFFECTS, BY_NETWORK = (0.0, 1.0), 0.2
# standard deviations on the latent scale, where logistic noise has 1.8
PERSON, SITE, SITE_BY_NETWORK, CLIP, PERSON_SLOPE, SITE_SLOPE = 1.1, 1.1, 0.5, 0.4, 0.5, 0.5
NOISE = np.pi / np.sqrt(3)
# by how much people who leave early are less satisfied
LEAVERS_LOWER = 1.1
CUTS = (-4.0, -2.5, -1.0, 0.5, 2.0, 3.5)
GENERATORS = (
    Generator("few votes", people=120, networks=1, votes=(4, 4)),
    Generator("heavy tails", people=60, votes=(8, 8), heavy=True),
    Generator("unbalanced", people=60, votes=(2, 14), popular=True),
    Generator("leaving early", people=60, votes=(10, 10), leaving=0.4),
)
# its noise is that of Student's t
OTHER_NOISE = Generator("noise with heavy tails", people=60, votes=(8, 8))


@dataclass(frozen=True)
class Measured:
    """Share of intervals that contain the true value, their median width, and the number of studies without one."""

    covered: float
    width: float
    missing: int


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--studies", type=int, default=300)
    parser.add_argument("--sites", type=int, nargs="+", default=SITES)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    out = 0
    print("sites  generator                coverage  standard error   width  without an interval")
    for sites, generator in product(wanted.sites, (*GENERATORS, OTHER_NOISE)):
        found = measure(generator, sites, wanted.studies, wanted.seed)
        few = wanted.studies - found.missing
        bad = sites == MANY_SITES and beyond(LEAST, found.covered, few)
        bad |= beyond(found.missing / wanted.studies, MOST_MISSING, wanted.studies)
        out += bad
        error = (found.covered * (1 - found.covered) / few) ** 0.5
        print(
            f"{sites:5d}  {generator.name:24s} {100 * found.covered:6.1f} %  {100 * error:12.1f} % {found.width:7.3f}"
            f"  {found.missing:d}{'  OUT OF BOUNDS' if bad else ''}",
            flush=True,
        )
    return 1 if out else 0


def measure(generator: Generator, sites: int, studies: int, seed: int) -> Measured:
    rng = np.random.default_rng([seed, sites, (*GENERATORS, OTHER_NOISE).index(generator)])
    covered, missing, widths = 0, 0, []
    for number in range(studies):
        effect = 0.0 if generator is OTHER_NOISE else EFFECTS[number % len(EFFECTS)]
        found = study(generator, sites, effect, rng)
        if found.ci_low is None or found.ci_high is None:
            missing += 1
            continue
        covered += found.ci_low <= effect <= found.ci_high
        widths.append(found.ci_high - found.ci_low)
    return Measured(covered / len(widths), median(widths), missing)


def study(generator: Generator, sites: int, effect: float, rng: np.random.Generator) -> OrdinalEffect:
    asked, leavers = design(generator, sites, rng)
    person, slope = (
        generator.effects(rng, PERSON, generator.people),
        generator.effects(rng, PERSON_SLOPE, generator.people),
    )
    person[leavers] -= LEAVERS_LOWER
    place = generator.effects(rng, SITE, sites, 1) + generator.effects(rng, SITE_BY_NETWORK, sites, generator.networks)
    of_site = generator.effects(rng, SITE_SLOPE, sites)
    clip = generator.effects(rng, CLIP, sites, generator.networks, 2)
    second = (asked.arm > 0).astype(np.intp)
    of_network = BY_NETWORK * np.linspace(-1, 1, generator.networks) if generator.networks > 1 else np.zeros(1)
    effects = effect + of_network[asked.network] + slope[asked.person] + of_site[asked.site]
    if generator is OTHER_NOISE:
        effects = effects - of_network[asked.network]
    latent = person[asked.person] + place[asked.site, asked.network] + clip[asked.site, asked.network, second]
    latent = latent + asked.arm * effects + noise(generator, len(latent), rng)
    scores = 1 + np.searchsorted(CUTS, latent)
    return arm_effect([
        OrdinalVote(f"p{p}", f"s{s}", f"s{s}-{n}-{arm}", f"n{n}", bool(arm), int(score))
        for p, s, n, arm, score in zip(asked.person, asked.site, asked.network, second, scores, strict=True)
    ])  # fmt: skip


def noise(generator: Generator, votes: int, rng: np.random.Generator) -> Floats:
    if generator is not OTHER_NOISE:
        return rng.logistic(0, 1, votes)
    drawn: Floats = NOISE * rng.standard_t(TAILS, votes) / np.sqrt(TAILS / (TAILS - 2))
    return drawn


if __name__ == "__main__":
    sys.exit(main())
