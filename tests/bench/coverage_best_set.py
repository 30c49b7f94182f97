"""Coverage of the set of the best metrics: how often it contains the metric that agrees best in truth (E10).

    tests/bench/coverage_best_set.py [--studies 300] [--draws 1000] [--seed 1]

Simulates studies of 12 sites and 30 participants from a generator that the statistics do not know: opinions follow a
logistic curve of log times, participants differ in level, in how much of the scale they use and in the sites they like,
votes are whole points from 1 to 7, and every participant rates a random half of the clips. The truth is theta over
4,000 sites. Prints coverage and size of the set in each case, and coverage and width of the intervals of differences.
Status 1 where the set covers the truth in fewer than 94 % of studies.
"""

import argparse
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from eyelevel_stats.agreement.best import BestSet, best_sets
from eyelevel_stats.agreement.clip_scores import ClipVote
from eyelevel_stats.agreement.redrawn import rank_correlations

SITES, STACKS, PEOPLE = 12, 5, 30
SITES_FOR_TRUTH = 4000
BOUND = 0.94
# noise of each metric, in standard deviations of the log time that people perceive within a site
CASES = {
    "one clearly best": {"si": 0.1, "vc85": 1.5, "plt": 2.0, "fvc": 3.0},
    "one slightly best": {"si": 0.5, "vc85": 0.6, "plt": 0.6, "fvc": 0.7},
    "three equally good": {"si": 0.6, "vc85": 0.6, "plt": 0.6, "fvc": 2.0},
    "all equally good": {"si": 0.6, "vc85": 0.6, "plt": 0.6, "fvc": 0.6, "lvc": 0.6, "lcp": 0.6},
}

Floats = NDArray[np.float64]


@dataclass
class Counts:
    """What was found over the studies of one case."""

    covered: dict[str, int] = field(default_factory=dict)
    sizes: list[int] = field(default_factory=list)
    differences: list[bool] = field(default_factory=list)
    widths: list[float] = field(default_factory=list)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--studies", type=int, default=300)
    parser.add_argument("--draws", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    failed = False
    for case, noises in CASES.items():
        rng = np.random.default_rng(wanted.seed)
        truth = true_thetas(noises, rng)
        best = [name for name, noise in noises.items() if noise == min(noises.values())]
        counts = Counts(covered=dict.fromkeys(best, 0))
        for number in range(wanted.studies):
            votes, metrics = study(noises, rng)
            (found,) = best_sets(votes, metrics, seed=number, draws=wanted.draws)
            count(found, truth, counts)
        failed |= report(case, counts, wanted.studies)
    return 1 if failed else 0


def count(found: BestSet, truth: Mapping[str, float], counts: Counts) -> None:
    assert found.names is not None, found.why
    counts.sizes.append(len(found.names))
    for name in counts.covered:
        counts.covered[name] += name in found.names
    for row in found.differences:
        assert row.ci_low is not None
        assert row.ci_high is not None
        counts.differences.append(row.ci_low <= truth[row.metric_a] - truth[row.metric_b] <= row.ci_high)
        counts.widths.append(row.ci_high - row.ci_low)


def report(case: str, counts: Counts, studies: int) -> bool:
    """Whether the set covers too seldom; of equally good metrics each one counts, as each is a best one."""
    covered = np.mean([times / studies for times in counts.covered.values()])
    few = bool(covered < BOUND)
    print(
        f"{case}: set covers the truth in {100 * covered:.1f} % of {studies} studies (bound {100 * BOUND:.0f}); "
        f"mean size {np.mean(counts.sizes):.2f}; intervals of differences cover it in "
        f"{100 * np.mean(counts.differences):.1f} %, mean width {np.mean(counts.widths):.3f}" + (" FEW" if few else ""),
        flush=True,
    )
    return few


def loads(sites: int, noises: Mapping[str, float], rng: np.random.Generator) -> tuple[Floats, dict[str, Floats]]:
    """Opinions of the mean participant, and metrics, each of shape (sites, stacks)."""
    log_time = rng.normal(np.log(2000), 0.6, (sites, 1)) + 0.25 * rng.standard_t(5, (sites, STACKS))
    opinion = 1 + 6 / (1 + np.exp(1.5 * (log_time - np.log(2500))))
    metrics = {
        name: np.exp(log_time + 0.25 * noise * rng.standard_t(5, (sites, STACKS))) for name, noise in noises.items()
    }
    return opinion, metrics


def true_thetas(noises: Mapping[str, float], rng: np.random.Generator) -> dict[str, float]:
    """By metric, over many sites, with the MOS of as many votes as a study has."""
    opinion, metrics = loads(SITES_FOR_TRUTH, noises, rng)
    blocks = np.array_split(opinion, SITES_FOR_TRUTH // SITES)
    mos = np.concatenate([scores(block, PEOPLE // 2, rng).mean(axis=0) for block in blocks])
    mos = (mos - mos.mean(axis=1, keepdims=True)).reshape(1, -1)
    found = {}
    for name, values in metrics.items():
        within = (values.mean(axis=1, keepdims=True) - values).reshape(1, -1)
        found[name] = float(rank_correlations(within, mos, np.ones(mos.shape))[0])
    # equal noise is equal agreement; what differs is chance
    return {name: float(np.mean([found[other] for other in found if noises[other] == noises[name]])) for name in found}


def study(
    noises: Mapping[str, float], rng: np.random.Generator
) -> tuple[list[ClipVote], dict[str, dict[str, float | None]]]:
    opinion, metrics = loads(SITES, noises, rng)
    given = scores(opinion, PEOPLE, rng)
    asked = rng.random(given.shape) < 0.5
    votes = [
        ClipVote(f"p{person}", f"s{site}-{stack}", f"s{site}", "DSL", float(given[person, site, stack]))
        for person, site, stack in zip(*np.nonzero(asked), strict=True)
    ]
    named: dict[str, dict[str, float | None]] = {
        name: {f"s{s}-{k}": float(values[s, k]) for s in range(SITES) for k in range(STACKS)}
        for name, values in metrics.items()
    }
    return votes, named


def scores(opinion: Floats, people: int, rng: np.random.Generator) -> Floats:
    """Votes of so many participants on every clip; shape (people, sites, stacks)."""
    sites, stacks = opinion.shape
    level = rng.normal(0, 0.6, (people, 1, 1)) + rng.normal(0, 0.5, (people, sites, 1))
    spread = rng.lognormal(0, 0.3, (people, 1, 1))
    latent = 4 + spread * (opinion - 4) + level + rng.normal(0, 0.8, (people, sites, stacks))
    return np.clip(np.round(latent), 1, 7)


if __name__ == "__main__":
    sys.exit(main())
