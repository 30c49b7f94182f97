"""Two-way bootstrap: vote weights that resample participants and sites (definition E8).

The weight of a vote is the product of two multinomial counts: how often its participant and how often its site were
drawn (A. B. Owen, The pigeonhole bootstrap, Annals of Applied Statistics 1, 2007). No bootstrap is exact for crossed
random effects (P. McCullagh, Resampling and exchangeable arrays, Bernoulli 6, 2000). This one is conservative, as it
counts the noise of single votes three times, but percentiles are too narrow for the mean of few units: see
`percentile_interval`. Results name the method by `LABEL`.
"""

from collections.abc import Iterator, Sequence
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy import special

from eyelevel_stats.intervals import CONFIDENCE, Interval
from eyelevel_stats.reasons import Reason

DRAWS = 2000
LEAST_SITES = 8
LEAST_PARTICIPANTS = 2
LABEL = "two-way bootstrap over participants and sites (conservative)"
# weights that are in memory at a time, in votes times draws: 64 MB
BLOCK = 8_000_000

Floats = NDArray[np.float64]


def why_no_bootstrap(*, participants: int, sites: int) -> Reason | None:
    """Returns why participants or sites are too few for the two-way bootstrap; None where they are enough."""
    if participants < LEAST_PARTICIPANTS:
        return Reason("few_participants", {"participants": participants, "least": LEAST_PARTICIPANTS})
    if sites < LEAST_SITES:
        return Reason("few_sites", {"sites": sites, "least": LEAST_SITES})
    return None


def two_way_weights(
    participants: Sequence[str], sites: Sequence[str], *, draws: int = DRAWS, rng: np.random.Generator
) -> Iterator[Floats]:
    """Yields weights of votes in blocks of draws; participants and sites have one entry per vote.

    Each block has shape (some draws, votes); all blocks together have `draws` rows. The mean of each weight is 1. The
    weighted mean of a group is undefined in a draw in which all its weights are 0. The same generator state gives the
    same weights, in whatever order the votes come. Raises ValueError where `why_no_bootstrap` has a reason.
    """
    if len(participants) != len(sites):
        raise ValueError(f"Columns differ in length: {len(participants)}, {len(sites)}.")
    people, person = numbered(participants)
    places, place = numbered(sites)
    size = max(1, BLOCK // max(1, len(person)))
    for of_people, of_sites in two_way_counts(len(people), len(places), draws=draws, rng=rng, block=size):
        weights: Floats = of_people[:, person] * of_sites[:, place]
        yield weights


def two_way_counts(
    participants: int, sites: int, *, draws: int = DRAWS, rng: np.random.Generator, block: int = DRAWS
) -> Iterator[tuple[Floats, Floats]]:
    """Yields how often each participant and each site was drawn: shape (up to `block` draws, participants or sites).

    These are the two factors of the weights of `two_way_weights`. The size of the blocks does not change the counts.
    Raises ValueError where `why_no_bootstrap` has a reason.
    """
    why = why_no_bootstrap(participants=participants, sites=sites)
    if why is not None:
        raise ValueError(f"No bootstrap: {why}.")
    # separate streams, so that the counts do not depend on the size of the blocks
    for_people, for_sites = rng.spawn(2)
    for start in range(0, draws, block):
        size = min(block, draws - start)
        yield _counts(participants, size, for_people), _counts(sites, size, for_sites)


def numbered(names: Sequence[str]) -> tuple[list[str], NDArray[np.intp]]:
    """Returns the distinct names, sorted, and the place of each entry among them.

    In this order, because results must not depend on the order in which votes were stored.
    """
    distinct = sorted(set(names))
    places = {name: place for place, name in enumerate(distinct)}
    return distinct, np.fromiter((places[name] for name in names), np.intp, len(names))


def percentile_interval(estimates: Floats, *, units: int | None = None) -> Interval | None:
    """Computes the 95 % percentile interval of bootstrap estimates, one per draw; None if one is undefined (NaN).

    With `units`, the number of units that were drawn (the fewer of participants and sites), the percentiles are those
    at which a normal distribution with a variance divided by n has the width of Student's interval: the expanded
    percentile interval of T. C. Hesterberg (What teachers should know about the bootstrap, The American Statistician
    69, 2015), as `CI.percentile` of R's package resample. Raise ValueError with fewer than two units.
    """
    if not len(estimates) or not np.isfinite(estimates).all():
        return None
    tail = (1 - CONFIDENCE) / 2 if units is None else expanded_tail(units)
    low, high = np.quantile(estimates, [tail, 1 - tail])
    return Interval(low=float(low), high=float(high))


def expanded_tail(units: int) -> float:
    """Computes the share of draws beyond either end of the expanded 95 % percentile interval."""
    if units < LEAST_PARTICIPANTS:
        raise ValueError(f"An expanded percentile interval needs at least two units; there is {units}.")
    student = float(special.stdtrit(units - 1, (1 + CONFIDENCE) / 2))
    return float(special.ndtr(-student * sqrt(units / (units - 1))))


def _counts(units: int, draws: int, rng: np.random.Generator) -> Floats:
    """Draws units with replacement, as many as there are, and counts them; shape (draws, units)."""
    drawn = rng.integers(units, size=(draws, units)) + units * np.arange(draws)[:, None]
    return np.bincount(drawn.ravel(), minlength=draws * units).reshape(draws, units).astype(np.float64)
