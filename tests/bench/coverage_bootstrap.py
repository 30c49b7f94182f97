"""Coverage of the bootstrap intervals of MOS, the table `mos-bootstrap` (definition E8), on simulated studies.

    tests/bench/coverage_bootstrap.py [--studies 300] [--sites 8 12 30] [--seed 1]

The interval is for people and sites like these. Its true value is the mean of the votes that all people would give on
clips of all sites, with this network and stack, where each person gives as many votes as in the study: people who leave
early, and are less satisfied, give fewer of them. It is computed from a million opinions of the generator.

The generators are those of `coverage_verdicts` for ratings, and two with many people, with 8, 12 and 30 sites. A study
has two stacks on one network or two, and a row for each; the true value of all rows is the same. Prints for each
generator and number of sites how many of the 95 % intervals contain it, with the standard error between studies, and
their median width. Status 1 where coverage is below 94 % by more than chance, or a row has no interval.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from statistics import median

import numpy as np
from coverage_verdicts import (
    CHANCE,
    CLIP,
    CUTS,
    GENERATORS,
    LEAVERS_LOWER,
    LOWEST,
    NOISE,
    PERSON,
    PERSON_SLOPE,
    PLACE,
    SITE_SLOPE,
    Floats,
    Generator,
    design,
    opinions_of,
)

from eyelevel_stats.descriptive.resampled import resampled_rows
from eyelevel_stats.observations import Rating

LEAST = 0.94
SITES = (8, 12, 30)
# of many people nearly all that is uncertain is the sites
ASKED = (
    *(generator for generator in GENERATORS if generator.kind == "rate"),
    Generator("many people", people=600),
    Generator("many, unbalanced", people=600, votes=(2, 20), popular=True),
)
SCALE = (1.0, 7.0)


@dataclass(frozen=True)
class Measured:
    """Share of intervals that contain the true value, its standard error between studies, and the median width."""

    covered: float
    error: float
    width: float
    missing: int

    @property
    def bad(self) -> bool:
        return self.missing > 0 or LEAST - self.covered > CHANCE * self.error


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--studies", type=int, default=300)
    parser.add_argument("--sites", type=int, nargs="+", default=SITES)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    out = 0
    print(f"sites  generator                coverage  standard error   width  (bound {100 * LEAST:.0f} %)")
    for sites, generator in product(wanted.sites, ASKED):
        found = measure(generator, sites, wanted.studies, wanted.seed)
        out += found.bad
        print(
            f"{sites:5d}  {generator.name:24s} {100 * found.covered:6.1f} %  {100 * found.error:12.1f} % "
            f"{found.width:7.3f}"
            f"{f'  {found.missing} rows without an interval' if found.missing else ''}"
            f"{'  OUT OF BOUNDS' if found.bad else ''}",
            flush=True,
        )
    return 1 if out else 0


def measure(generator: Generator, sites: int, studies: int, seed: int) -> Measured:
    rng = np.random.default_rng([seed, sites, ASKED.index(generator)])
    truth = true_mos(generator, rng)
    shares, widths, missing = [], [], 0
    for number in range(studies):
        inside = []
        for row in resampled_rows(study(generator, sites, rng), scale=SCALE, seed=number):
            if row.ci_low is None or row.ci_high is None:
                missing += 1
                continue
            inside.append(row.ci_low <= truth <= row.ci_high)
            widths.append(row.ci_high - row.ci_low)
        if inside:
            shares.append(float(np.mean(inside)))
    error = float(np.std(shares, ddof=1)) / len(shares) ** 0.5
    return Measured(float(np.mean(shares)), error, median(widths), missing)


def true_mos(generator: Generator, rng: np.random.Generator) -> float:
    return float(scores(generator, generator.mean + opinions_of(generator, like_these=True, rng=rng)).mean())


def study(generator: Generator, sites: int, rng: np.random.Generator) -> Sequence[Rating]:
    """Votes of one study; the difference between its stacks has the mean 0."""
    asked, leavers = design(generator, sites, rng)
    person, slope = (
        generator.effects(rng, PERSON, generator.people),
        generator.effects(rng, PERSON_SLOPE, generator.people),
    )
    person[leavers] -= LEAVERS_LOWER
    place, site = generator.effects(rng, PLACE, sites, generator.networks), generator.effects(rng, SITE_SLOPE, sites)
    clip = generator.effects(rng, CLIP, sites, generator.networks, 2)
    second = (asked.arm > 0).astype(np.intp)
    opinions = generator.mean + person[asked.person] + place[asked.site, asked.network]
    opinions = opinions + clip[asked.site, asked.network, second] + asked.arm * (slope[asked.person] + site[asked.site])
    given = scores(generator, opinions + generator.effects(rng, NOISE, len(opinions)))
    return [
        Rating(f"p{p}", f"s{s}", f"n{n}", f"stack{arm}", "work", f"s{s}-{n}-{arm}", float(score))
        for p, s, n, arm, score in zip(asked.person, asked.site, asked.network, second, given, strict=True)
    ]


def scores(generator: Generator, opinions: Floats) -> Floats:
    found: Floats = LOWEST[generator.kind] + np.searchsorted(CUTS[generator.kind], opinions).astype(np.float64)
    return found


if __name__ == "__main__":
    sys.exit(main())
