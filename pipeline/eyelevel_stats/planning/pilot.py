"""Variance components of a pilot study, for simulated votes.

The variances are those of a linear model with crossed effects, by MINQUE(0): sums of squares of the votes, less the
fitted means, over the groups of each effect are set to what they are expected to be (C. R. Rao, Estimation of variance
and covariance components: MINQUE theory, Journal of Multivariate Analysis 1, 1971). The estimates are unbiased whatever
the distribution; those below 0 count as 0.
"""

from collections.abc import Sequence
from itertools import combinations_with_replacement
from math import sqrt

import numpy as np
from scipy import sparse

from eyelevel_stats.hypotheses.groups import Floats, Groups
from eyelevel_stats.observations import Comparison, Rating
from eyelevel_stats.planning.latent import RATING_CUTS, ROUNDING, Latent, Spreads, choices

LEAST_PARTICIPANTS = 2
LEAST_SITES = 2


def pilot_ratings(votes: Sequence[Rating]) -> Latent:
    """Mean and standard deviations, in points, of a pilot's ratings of any stacks.

    What participants and sites add to single stacks gives the spread of the difference between two of them. Rounding
    is subtracted from the noise. Answers at the ends of the scale spread less than opinions do, so that a pilot with a
    mean near an end gives variances that are too small. Where the design cannot separate two effects (sites by stack,
    and clips, on a single network), their variance is halved between them. Raise ValueError for fewer than two
    participants or sites.
    """
    _check([vote.participant for vote in votes], [vote.site for vote in votes])
    scores = np.array([vote.score for vote in votes])
    participant, of_stack, site, place, on_stack, clip, noise = components(
        scores,
        Groups.by([(vote.network, vote.context, vote.stack) for vote in votes]),
        [
            Groups.by([vote.participant for vote in votes]),
            Groups.by([(vote.participant, vote.stack) for vote in votes]),
            Groups.by([vote.site for vote in votes]),
            Groups.by([(vote.site, vote.network, vote.context) for vote in votes]),
            Groups.by([(vote.site, vote.stack) for vote in votes]),
            Groups.by([vote.clip_sha256 for vote in votes]),
        ],
    )
    # an effect of each stack by itself, of variance v: its mean over two stacks has v / 2, their difference has 2 v
    spreads = Spreads(
        participant=_root(participant + of_stack / 2),
        place=_root(site + place + on_stack / 2),
        clip=_root(clip),
        participant_slope=_root(2 * of_stack),
        site_slope=_root(2 * on_stack),
        residual=_root(max(noise - ROUNDING, ROUNDING)),
    )
    return Latent(float(scores.mean()), spreads, RATING_CUTS, 1.0)


def pilot_choices(votes: Sequence[Comparison]) -> Latent:
    """Standard deviations over that of single answers, and the share of answers without a difference.

    The ratios are those of the values 1, 0 and -1, which are slightly smaller than those of opinions; where stacks
    differ in the pilot, the share is smaller than between equal ones. Raise ValueError for fewer than two participants
    or sites.
    """
    _check([vote.participant for vote in votes], [vote.site for vote in votes])
    pairs = [tuple(sorted((vote.left_stack, vote.right_stack))) for vote in votes]
    values = [_value(vote, pair[1]) for vote, pair in zip(votes, pairs, strict=True)]
    slope, on_site, clip, noise = components(
        np.array(values),
        Groups.by([(vote.network, pair) for vote, pair in zip(votes, pairs, strict=True)]),
        [
            Groups.by([(vote.participant, pair) for vote, pair in zip(votes, pairs, strict=True)]),
            Groups.by([(vote.site, pair) for vote, pair in zip(votes, pairs, strict=True)]),
            Groups.by([(vote.site, vote.network, pair) for vote, pair in zip(votes, pairs, strict=True)]),
        ],
    )
    unit = max(noise, ROUNDING)
    spreads = Spreads(0.0, 0.0, _root(clip / unit), _root(slope / unit), _root(on_site / unit), 1.0)
    return choices(spreads, values.count(0.0) / len(values))


def components(values: Floats, fixed: Groups, random: Sequence[Groups]) -> list[float]:
    """The variance of each random effect, and of the noise, where the groups of `fixed` have means of their own.

    Unbiased estimates can be below 0. Effects that the design cannot separate share their variance.
    """
    effects = [*random, Groups(np.arange(len(values)), len(values))]
    size = fixed.sums(np.ones(len(values)))
    centred = values - (fixed.sums(values) / size)[fixed.of]
    observed = [float(np.sum(groups.sums(centred) ** 2)) for groups in effects]
    expected = np.zeros((len(effects), len(effects)))
    for one, other in combinations_with_replacement(range(len(effects)), 2):
        expected[one, other] = expected[other, one] = _shared(effects[one], effects[other], fixed, size)
    scale = np.sqrt(np.diag(expected))
    solution = np.linalg.lstsq(expected / np.outer(scale, scale), observed / scale, rcond=1e-9)[0] / scale
    return [float(component) for component in solution]


def _shared(one: Groups, other: Groups, fixed: Groups, size: Floats) -> float:
    """The sum of squares of both effects' cross product, less the fixed means: the trace of M V M V' in MINQUE(0)."""
    product = one.matrix @ other.matrix.T
    left: sparse.csr_array = (one.matrix @ fixed.matrix.T).multiply(1 / size).tocsr()
    right: sparse.csr_array = fixed.matrix @ other.matrix.T
    taken = float(((product.T @ left).T).multiply(right).sum())
    both = float((left.T @ left).multiply(right @ right.T).sum())
    return float((product.multiply(product)).sum()) - 2 * taken + both


def _root(variance: float) -> float:
    return sqrt(max(0.0, variance))


def _value(vote: Comparison, second: str) -> float:
    if vote.choice == "none":
        return 0.0
    return 1.0 if (vote.left_stack if vote.choice == "left" else vote.right_stack) == second else -1.0


def _check(participants: Sequence[str], sites: Sequence[str]) -> None:
    people, places = len(set(participants)), len(set(sites))
    if people < LEAST_PARTICIPANTS or places < LEAST_SITES:
        raise ValueError(
            f"A pilot needs votes of at least {LEAST_PARTICIPANTS} participants on {LEAST_SITES} sites; it has "
            f"{people} and {places}."
        )
