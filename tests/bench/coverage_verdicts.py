"""Coverage of the intervals behind verdicts (definitions E6 and E7), on votes that the fitted model does not describe.

    tests/bench/coverage_verdicts.py [--studies 2000]

Opinions are cut at seven answers, or three of a comparison; people, clips, and the difference between the stacks by
person and by site vary. Prints for each generator and number of sites how many of the 95 % intervals hold the true
difference (where it is 0, and where it is the margin), their median width, and how often a difference as large as the
margin is called smaller than the margin. Status 1 where, by more than chance, coverage is below 93.5 % or above 96.5 %
with 30 sites, or more than 6 % of the differences at the margin are called smaller.
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from statistics import median

import numpy as np
from numpy.typing import NDArray

from eyelevel_stats.hypotheses.coded import ArmVote, Choice
from eyelevel_stats.hypotheses.estimand import Contrast, choice_contrast, rating_contrast
from eyelevel_stats.hypotheses.verdict import Judged, Verdict, judge
from eyelevel_stats.samples import LEAST_SITES

LEAST, MOST, MANY_SITES = 0.935, 0.965, 30
FALSE_EQUIVALENT = 0.06
# the normal quantile of 95 %
CHANCE = 1.645
PER_DESIGN = 50
# large enough that the true difference is known to 0.002 points
DRAWS = 1_000_000
# standard deviations of opinions, in points; over the noise of an answer for comparisons
PERSON, PLACE, CLIP, PERSON_SLOPE, SITE_SLOPE, NOISE = 0.6, 0.7, 0.2, 0.3, 0.3, 1.0
# points by which people who leave early are less satisfied
LEAVERS_LOWER = 0.6
CUTS = {"rate": (1.5, 2.5, 3.5, 4.5, 5.5, 6.5), "compare": (-0.5, 0.5)}
LOWEST = {"rate": 1.0, "compare": -1.0}
MARGIN = {"rate": 0.5, "compare": 0.2}
# Student's t with fewer degrees has no variance; with so many its kurtosis is infinite
TAILS = 3
Floats = NDArray[np.float64]
Numbers = NDArray[np.intp]


@dataclass(frozen=True)
class Generator:
    """How people vote: `votes` each, `popular` sites more often than others, and on how many networks.

    `leaving` is the share that leaves early, dissatisfied people more often. Opinions have `heavy` tails, or lie at the
    upper end of the scale around `mean`.
    """

    name: str
    kind: str = "rate"
    people: int = 100
    networks: int = 2
    votes: tuple[int, int] = (12, 12)
    popular: bool = False
    leaving: float = 0.0
    heavy: bool = False
    mean: float = 4.0

    def effects(self, rng: np.random.Generator, sd: float, *shape: int) -> Floats:
        if not self.heavy:
            return rng.normal(0, sd, shape)
        found: Floats = rng.standard_t(TAILS, shape) * sd / np.sqrt(TAILS / (TAILS - 2))
        return found


GENERATORS = (
    Generator("balanced"),
    Generator("few votes", people=150, networks=1, votes=(4, 4)),
    Generator("two of a plan's votes", people=300, networks=1, votes=(1, 3)),
    Generator("heavy tails", heavy=True),
    Generator("unbalanced", votes=(2, 20), popular=True),
    Generator("leaving early", votes=(14, 14), leaving=0.4),
    Generator("end of the scale", mean=5.5),
    Generator("comparisons", kind="compare", votes=(8, 8), mean=0.0),
    Generator("comparisons, unbalanced", kind="compare", votes=(1, 12), popular=True, mean=0.0, heavy=True),
    # nearly half of the votes are the best answer
    Generator("far end of the scale", mean=6.3),
)


@dataclass(frozen=True)
class Asked:
    """Votes by the numbers of person, site, network and arm (-1/2 or 1/2, and 1 for comparisons)."""

    person: Numbers
    site: Numbers
    network: Numbers
    arm: Floats
    contrast: Contrast


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--studies", type=int, default=2000)
    studies = parser.parse_args().studies
    out = 0
    print("sites  generator                difference  coverage   width  called smaller than the margin")
    for sites, generator in product((3, 5, 9, MANY_SITES), GENERATORS):
        for size in (0.0, MARGIN[generator.kind]):
            covered, width, smaller = measure(generator, sites, size, studies)
            bad = beyond(LEAST, covered, studies) or (size > 0 and beyond(smaller, FALSE_EQUIVALENT, studies))
            bad |= sites == MANY_SITES and beyond(covered, MOST, studies)
            out += bad
            called = f"{100 * smaller:5.1f} %" if size else ""
            print(
                f"{sites:5d}  {generator.name:24s} {size:10.2f}  {100 * covered:6.1f} % {width:7.3f}  {called}"
                f"{'  OUT OF BOUNDS' if bad else ''}",
                flush=True,
            )
    return 1 if out else 0


def beyond(share: float, bound: float, studies: int) -> bool:
    """Whether a share is above another by more than chance: one-sided, at 5 %."""
    spread = np.sqrt(max(share * (1 - share), bound * (1 - bound)) / studies)
    return bool(share - bound > CHANCE * spread)


def measure(generator: Generator, sites: int, size: float, studies: int) -> tuple[float, float, float]:
    """Coverage, median width, and the share of studies that call the difference smaller than the margin."""
    rng = np.random.default_rng([7, sites, GENERATORS.index(generator)])
    covered, smaller, widths = 0, 0, []
    pooled = opinions_of(generator, like_these=sites >= LEAST_SITES, rng=rng)
    for start in range(0, studies, PER_DESIGN):
        few = min(PER_DESIGN, studies - start)
        for judged in judged_studies(generator, sites=sites, size=size, studies=few, pooled=pooled, rng=rng):
            assert judged.interval is not None
            covered += judged.interval.low <= size <= judged.interval.high
            smaller += judged.verdict in (Verdict.EQUIVALENT, Verdict.SMALLER)
            widths.append(judged.interval.high - judged.interval.low)
    return covered / studies, median(widths), smaller / studies


def judged_studies(
    generator: Generator, *, sites: int, size: float, studies: int, pooled: Floats, rng: np.random.Generator
) -> Iterator[Judged]:
    """The verdicts of some studies with one design; `pooled` are sorted opinions about clips with a mean of 0."""
    asked, leavers = design(generator, sites, rng)
    person, slope = (generator.effects(rng, sd, generator.people, studies) for sd in (PERSON, PERSON_SLOPE))
    person[leavers] -= LEAVERS_LOWER
    site = generator.effects(rng, SITE_SLOPE, sites, studies)
    arms = 1 if generator.kind == "compare" else 2
    clip = generator.effects(rng, CLIP, sites, generator.networks, arms, studies)
    place = generator.effects(rng, PLACE, sites, generator.networks, studies)
    if generator.kind == "compare":
        person, place = np.zeros_like(person), np.zeros_like(place)
    arm = asked.arm[:, None]
    of_arm = (asked.arm > 0).astype(np.intp) * (arms - 1)
    means = generator.mean + place[asked.site, asked.network] + clip[asked.site, asked.network, of_arm]
    means = means + arm * site[asked.site]
    signs = (np.array([1.0]) if arms == 1 else np.array([-0.5, 0.5]))[None, None, :, None]
    if asked.contrast.like_these:
        every = np.full((1, 1, arms, 1), generator.mean)
    else:
        every = generator.mean + place[:, :, None] + clip + signs * site[:, None, None]
    shift = shifted(generator.kind, size, every, signs, pooled)
    opinions = means + arm * (shift + slope[asked.person]) + person[asked.person]
    opinions = opinions + generator.effects(rng, NOISE, *opinions.shape)
    answers = LOWEST[generator.kind] + np.searchsorted(CUTS[generator.kind], opinions).astype(np.float64)
    for effect in asked.contrast.effects(answers):
        yield judge(effect, margin=MARGIN[generator.kind])


def design(generator: Generator, sites: int, rng: np.random.Generator) -> tuple[Asked, Numbers]:
    """Who votes on what, and who leaves early, before half of the votes on average."""
    arms = 1 if generator.kind == "compare" else 2
    clips = np.array(list(product(range(sites), range(generator.networks), range(arms))))
    weight = 1 / (1 + clips[:, 0]) if generator.popular else np.ones(len(clips))
    leavers = rng.choice(generator.people, round(generator.leaving * generator.people), replace=False)
    rows = []
    for person in range(generator.people):
        many = min(int(rng.integers(generator.votes[0], generator.votes[1] + 1)), len(clips))
        chosen = rng.choice(len(clips), many, replace=False, p=weight / weight.sum())
        if person in leavers:
            chosen = chosen[: int(rng.integers(1, many))]
        rows += [(person, *clips[clip]) for clip in chosen]
    person, site, network, arm = np.array(rows).T
    names = [(f"{p}", f"{s}", f"{n}") for p, s, n in zip(person, site, network, strict=True)]
    if arms == 1:
        contrast = choice_contrast([Choice(*name, 0.0) for name in names])
    else:
        votes = [ArmVote(*name, "work", bool(second), 0.0) for name, second in zip(names, arm, strict=True)]
        contrast = rating_contrast(votes)
    assert contrast is not None
    signs = np.ones(len(arm)) if arms == 1 else arm - 0.5
    return Asked(person, site, network, signs, contrast), leavers


def opinions_of(generator: Generator, *, like_these: bool, rng: np.random.Generator) -> Floats:
    """Sorted opinions about a clip with a mean of 0: of all people, and of all sites too if `like_these`."""
    arm = 1.0 if generator.kind == "compare" else 0.5
    found = generator.effects(rng, NOISE, DRAWS) + arm * generator.effects(rng, PERSON_SLOPE, DRAWS)
    if generator.kind == "rate":
        # those who leave give fewer of the votes
        lower = rng.random(DRAWS) < generator.leaving / 2 / (1 - generator.leaving / 2)
        found += generator.effects(rng, PERSON, DRAWS) - LEAVERS_LOWER * lower
    if like_these:
        found += generator.effects(rng, CLIP, DRAWS) + arm * generator.effects(rng, SITE_SLOPE, DRAWS)
        if generator.kind == "rate":
            found += generator.effects(rng, PLACE, DRAWS)
    return np.sort(found)


def shifted(kind: str, size: float, means: Floats, arm: Floats, pooled: Floats) -> Floats:
    """The shift of opinions, per study, that makes the mean difference this large, by bisection.

    `means` are sites x networks x arms x studies.
    """
    cuts = np.array(CUTS[kind])
    low, high = np.full(means.shape[-1], -9.0), np.full(means.shape[-1], 9.0)
    for _ in range(25):
        middle = (low + high) / 2
        above = 1 - np.searchsorted(pooled, cuts - (means + arm * middle)[..., None]) / len(pooled)
        expected = LOWEST[kind] + above.sum(axis=-1)
        found = (np.sign(arm) * expected).sum(axis=2).mean(axis=(0, 1))
        low, high = np.where(found < size, middle, low), np.where(found < size, high, middle)
    shift: Floats = (low + high) / 2
    return shift


if __name__ == "__main__":
    sys.exit(main())
