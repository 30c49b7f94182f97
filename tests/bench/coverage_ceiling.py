"""Coverage of the intervals of reliability and of a metric's share of the ceiling (E9), by number of sites.

    tests/bench/coverage_ceiling.py [--studies 300] [--seed 1]

Simulates studies from a generator that the statistics do not know: sites differ by a skewed distribution, clips and
votes by one with heavy tails, and each clip is rated by 8 to 20 participants of its own. The truth follows from the
variances of the generator. Prints coverage and median width. Intervals of 95 % are approximate with so few sites: those
of reliability cover the truth in about 90 % of studies. Status 1 where coverage with 12 sites or more is under a bound
that lies about three standard errors (of 300 studies) below what was measured.
"""

import argparse
import sys
from math import sqrt
from statistics import median

import numpy as np

from eyelevel_stats.agreement.clip_scores import ClipScore
from eyelevel_stats.agreement.leaderboard import leaderboard
from eyelevel_stats.rows.metrics import LeaderRow

STACKS = 5
SITES = (5, 8, 12, 30)
BOUNDED = 12
BOUNDS = {"reliability": 0.85, "share": 0.90, "share_centred": 0.90}
VOTES = (8, 20)
# standard deviations, in points of the scale and, of the metric's own noise, in points that it stands for
OF_SITES, OF_CLIPS, OF_VOTES, OF_METRIC = 0.6, 0.5, 1.1, 0.4
# the variance of Student's t with so many degrees of freedom is 5 / 3
TAILS = 5
INTO_UNIT = sqrt((TAILS - 2) / TAILS)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--studies", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    rng = np.random.default_rng(wanted.seed)
    failed = False
    for sites in SITES:
        rows = [study(sites, rng, number) for number in range(wanted.studies)]
        for name, truth in truths().items():
            failed |= report(sites, name, truth, rows)
    return 1 if failed else 0


def truths() -> dict[str, float]:
    clips, noise = OF_CLIPS**2, OF_METRIC**2
    every = OF_SITES**2 + clips
    each = range(VOTES[0], VOTES[1] + 1)
    of_mos = OF_VOTES**2 * sum(1 / n for n in each) / len(each)
    return {
        "reliability": every / (every + of_mos),
        "share": sqrt(every / (every + noise)),
        "share_centred": sqrt(clips / (clips + noise)),
    }


def report(sites: int, name: str, truth: float, rows: list[LeaderRow]) -> bool:
    """Whether the interval covers the truth too seldom."""
    ends = [(getattr(row, f"{name}_ci_low"), getattr(row, f"{name}_ci_high")) for row in rows]
    known = [(low, high) for low, high in ends if low is not None]
    covered = sum(low <= truth <= high for low, high in known) / len(known)
    few = sites >= BOUNDED and covered < BOUNDS[name]
    print(
        f"{sites} sites: interval of {name} covers the truth in {100 * covered:.1f} % of {len(known)} studies, "
        f"median width {median(high - low for low, high in known):.3f}" + (" FEW" if few else ""),
        flush=True,
    )
    return few


def study(sites: int, rng: np.random.Generator, seed: int) -> LeaderRow:
    site = OF_SITES * (rng.gamma(4, 1 / 2, (sites, 1)) - 2)
    opinion = 4 + site + OF_CLIPS * INTO_UNIT * rng.standard_t(TAILS, (sites, STACKS))
    metric = -opinion + OF_METRIC * rng.standard_normal((sites, STACKS))
    clips = []
    for place, mean in np.ndenumerate(opinion):
        votes = mean + OF_VOTES * INTO_UNIT * rng.standard_t(TAILS, rng.integers(VOTES[0], VOTES[1] + 1))
        name = f"s{place[0]}-{place[1]}"
        clips.append(ClipScore(name, f"s{place[0]}", "DSL", len(votes), float(votes.mean()), float(votes.var(ddof=1))))
    values = {f"s{place[0]}-{place[1]}": float(value) for place, value in np.ndenumerate(metric)}
    (row,) = leaderboard(clips, {"si": values}, seed=seed)
    return row


if __name__ == "__main__":
    sys.exit(main())
