"""MOS per network and stack with two-way bootstrap intervals over participants and sites (definition E8)."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from eyelevel_stats.bootstrap import DRAWS, LABEL, percentile_interval, two_way_counts, why_no_bootstrap
from eyelevel_stats.descriptive.crossing import Floats, numbered
from eyelevel_stats.intervals import Interval
from eyelevel_stats.observations import Rating
from eyelevel_stats.reasons import worded
from eyelevel_stats.rows.answers import ResampledRow


def resampled_rows(
    votes: Sequence[Rating], *, scale: tuple[float, float], seed: int, draws: int = DRAWS
) -> tuple[ResampledRow, ...]:
    """Computes a row per network and stack, in their order; each has the same seed, so no row depends on the others.

    Intervals are percentiles of the weighted mean with the weights of `two_way_counts`, expanded for the fewer of
    participants and sites. A weighted mean of scores cannot leave the scale, so intervals are not cut. Raise ValueError
    where a score is off the scale.
    """
    ratings_of: defaultdict[tuple[str, str], list[Rating]] = defaultdict(list)
    for vote in votes:
        if not scale[0] <= vote.score <= scale[1]:
            raise ValueError(f"The score {vote.score:g} is off the scale of {scale[0]:g} to {scale[1]:g}.")
        ratings_of[vote.network, vote.stack].append(vote)
    return tuple(_row(key, given, seed, draws) for key, given in sorted(ratings_of.items()))


def bootstrap_interval(
    participants: Sequence[str], sites: Sequence[str], scores: Sequence[float], *, seed: int, draws: int = DRAWS
) -> Interval | None:
    """Computes the 95 % interval of the mean score, from one entry per vote; None where a draw has no vote.

    Raise ValueError with fewer than 8 sites or 2 participants.
    """
    (people, person), (places, place) = numbered(participants), numbered(sites)
    cell = person * len(places) + place
    size = len(people) * len(places)
    total = np.bincount(cell, np.asarray(scores, dtype=np.float64), size).reshape(len(people), len(places))
    count = np.bincount(cell, minlength=size).reshape(total.shape).astype(np.float64)
    means: list[Floats] = []
    for of_people, of_sites in two_way_counts(len(people), len(places), draws=draws, rng=np.random.default_rng(seed)):
        weight = np.sum((of_people @ count) * of_sites, axis=1)
        if not weight.all():
            return None
        means.append(np.sum((of_people @ total) * of_sites, axis=1) / weight)
    return percentile_interval(np.concatenate(means), units=min(len(people), len(places)))


def _row(key: tuple[str, str], votes: Sequence[Rating], seed: int, draws: int) -> ResampledRow:
    given: defaultdict[tuple[str, str, str], list[float]] = defaultdict(list)
    for vote in votes:
        given[vote.participant, vote.site, vote.clip_sha256].append(vote.score)
    means = [(person, site, sum(sorted(scores)) / len(scores)) for (person, site, _), scores in sorted(given.items())]
    people, sites, scores = [mean[0] for mean in means], [mean[1] for mean in means], [mean[2] for mean in means]
    why = worded(why_no_bootstrap(participants=len(set(people)), sites=len(set(sites))))
    interval = None if why else bootstrap_interval(people, sites, scores, seed=seed, draws=draws)
    if why is None and interval is None:
        why = "a draw of participants and sites has no vote"
    return ResampledRow(
        *key,
        participants=len(set(people)),
        sites=len(set(sites)),
        votes=len(means),
        mean=sum(scores) / len(scores),
        ci_low=None if interval is None else interval.low,
        ci_high=None if interval is None else interval.high,
        method=LABEL,
        why=why,
    )
