"""How often an interval excludes 0 although nothing differs, where almost as many parameters as votes are fitted (E6).

    tests/bench/coverage_few.py [--studies 1500]

A study of five stacks over four networks has about one vote per participant on the two stacks of a hypothesis, on one
network: 11 sites, two contexts, opinions cut at seven answers. Prints, by the number of participants and by the
residual degrees of freedom of the fit (votes less parameters), how many studies have no interval, and how many of the
95 % intervals exclude 0.
Status 1 where, by more than chance, more than 5 % of the intervals of a row exclude 0.
"""

import argparse
import sys
from collections import Counter

import numpy as np
from coverage_verdicts import beyond

from eyelevel_stats.hypotheses.coded import ArmVote
from eyelevel_stats.hypotheses.estimand import rating_effect
from eyelevel_stats.hypotheses.verdict import judge

PEOPLE = (40, 60, 80, 120, 200)
SITES, CONTEXTS = 11, ("work", "free time")
VOTES_EACH = 1.2
# the most residual degrees of freedom of each row, and its name
GROUPS = {"none": 0, "1 to 3": 3, "4 to 10": 10, "over 10": sys.maxsize}
MOST_EXCLUDED = 0.05
# of fewer, a share says nothing
LEAST_JUDGED = 20
MARGIN = 0.5
# standard deviations of opinions, in points
MEAN, PERSON, PLACE, CLIP, NOISE = 4.0, 0.6, 0.7, 0.2, 1.0
CUTS = np.arange(1.5, 7.0)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--studies", type=int, default=1500)
    studies = parser.parse_args().studies
    rng = np.random.default_rng(2019)
    out = False
    print("participants  residual degrees of freedom  studies  without interval  excluded 0")
    for people in PEOPLE:
        seen, without, excluded = (Counter[str]() for _ in range(3))
        for _ in range(studies):
            votes = drawn(people, rng)
            left = residual_freedom(votes)
            group = next(name for name, most in GROUPS.items() if left <= most)
            effect = rating_effect(votes)
            interval = None if effect is None else judge(effect, margin=MARGIN).interval
            seen[group] += 1
            without[group] += interval is None
            excluded[group] += interval is not None and not interval.low <= 0 <= interval.high
        for group in (name for name in GROUPS if seen[name]):
            judged = seen[group] - without[group]
            share = excluded[group] / judged if judged else 0.0
            bad = judged >= LEAST_JUDGED and beyond(share, MOST_EXCLUDED, judged)
            out |= bad
            shown = f"{100 * share:9.1f} %" if judged >= LEAST_JUDGED else f"{'-':>11s}"
            print(
                f"{people:12d}  {group:>27s} {seen[group]:8d} {without[group]:17d} {shown}{'  OUT OF BOUNDS' * bad}",
                flush=True,
            )
    return 1 if out else 0


def drawn(people: int, rng: np.random.Generator) -> list[ArmVote]:
    """The votes on two stacks that do not differ; a participant has one context and sees each clip once."""
    place, clip = rng.normal(0, PLACE, SITES), rng.normal(0, CLIP, (SITES, 2))
    found = []
    for person in range(people):
        offset = rng.normal(0, PERSON)
        context = CONTEXTS[int(rng.integers(2))]
        many = min(int(rng.poisson(VOTES_EACH)), 2 * SITES)
        for chosen in rng.choice(2 * SITES, many, replace=False):
            site, second = divmod(int(chosen), 2)
            opinion = MEAN + offset + place[site] + clip[site, second] + rng.normal(0, NOISE)
            score = 1.0 + float(np.searchsorted(CUTS, opinion))
            found.append(ArmVote(str(person), str(site), "DSL", context, bool(second), score))
    return found


def residual_freedom(votes: list[ArmVote]) -> int:
    """Votes less the rank of participants, cells and arm, over the sites that have votes on both stacks."""
    arms = {(vote.site, vote.second) for vote in votes}
    kept = [vote for vote in votes if {(vote.site, False), (vote.site, True)} <= arms]
    if not kept:
        return 0
    columns = [f"person {vote.participant}" for vote in kept], [f"cell {vote.site} {vote.context}" for vote in kept]
    names = sorted(set(columns[0]) | set(columns[1]))
    fitted = np.array([[name in pair for name in names] for pair in zip(*columns, strict=True)], dtype=np.float64)
    arm = np.array([[vote.second] for vote in kept], dtype=np.float64)
    return len(kept) - int(np.linalg.matrix_rank(np.hstack([fitted, arm])))


if __name__ == "__main__":
    sys.exit(main())
