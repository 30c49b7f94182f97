"""Noise ceiling: the agreement of a perfect metric with the MOS of a limited number of votes (definition E9)."""

from collections.abc import Iterable
from math import sqrt

import numpy as np
from scipy import sparse, stats

from eyelevel_stats.agreement.clip_scores import ClipVote, Floats, own_scores
from eyelevel_stats.bootstrap import numbered
from eyelevel_stats.correlation import ROUNDING, mean_ranks, pearson_coefficient
from eyelevel_stats.hypotheses.groups import Groups
from eyelevel_stats.samples import MIN_CLIPS

SIMULATIONS = 1000
SPLITS = 200


def reliability(mos: Floats, noise: Floats) -> float | None:
    """Computes the share of the variance of MOS between clips that is not noise; `noise` are squared standard errors.

    1 - mean(noise) / Var(MOS), with the divisor N - 1: reliability as in F. M. Lord, M. R. Novick, Statistical theories
    of mental test scores (1968), chapter 3. Below 0 where MOS differ less than their noise; None where all are equal.
    Differences in level between participants count as noise. Where everybody rates every clip, they cancel out of the
    differences between MOS, so that this value is too low.
    """
    return _reliability(float(np.sum((mos - mos.mean()) ** 2)), len(mos) - 1, noise)


def reliability_centred(deviations: Floats, noise: Floats, groups: Groups) -> float | None:
    """Computes the same for MOS centred within groups, with N - G degrees of freedom for G groups."""
    return _reliability(float(deviations @ deviations), len(deviations) - groups.count, noise)


def ceiling(reliable: float | None) -> float | None:
    """Computes the largest expected Pearson correlation with MOS of that reliability: its root (C. Spearman, 1904)."""
    return None if reliable is None or reliable <= 0 else sqrt(reliable)


def spearman_ceiling(
    mos: Floats, noise: Floats, *, rng: np.random.Generator, simulations: int = SIMULATIONS
) -> float | None:
    """Computes the mean rank correlation of MOS with simulated repetitions: normal, with each clip's standard error.

    None for fewer than 3 clips and where all MOS are equal.
    """
    if pearson_coefficient(mos, mos) is None:
        return None
    again = mos + np.sqrt(noise) * rng.standard_normal((simulations, len(mos)))
    ranks = stats.rankdata(again, axis=1)
    return float(np.nanmean(_row_correlations(np.broadcast_to(mean_ranks(mos), ranks.shape), ranks)))


def split_half(votes: Iterable[ClipVote], *, rng: np.random.Generator, splits: int = SPLITS) -> float | None:
    """Computes a lower ceiling: the mean Pearson correlation of the MOS of two random halves of the participants.

    Lower, since half of the votes are noisier than all of them; no step-up formula is applied. A split counts clips
    with votes in both halves. None where no split has 10 such clips whose MOS differ.
    """
    _, scores = own_scores(votes)
    entries = [(clip, who, score) for clip, score_of in enumerate(scores.values()) for who, score in score_of.items()]
    people, person = numbered([who for _, who, _ in entries])
    places = (person, np.array([clip for clip, _, _ in entries], dtype=np.intp))
    shape = (len(people), len(scores))
    given = sparse.csr_array((np.array([score for _, _, score in entries], dtype=np.float64), places), shape)
    count = sparse.csr_array((np.ones(len(entries)), places), shape)
    halves = rng.permuted(np.tile(np.arange(len(people)) < len(people) // 2, (splits, 1)), axis=1).astype(np.float64)
    one_sum, one_n = halves @ given, halves @ count
    other_sum, other_n = given.sum(axis=0) - one_sum, count.sum(axis=0) - one_n
    both = (one_n > 0) & (other_n > 0)
    one = np.divide(one_sum, one_n, out=np.full(both.shape, np.nan), where=both)
    other = np.divide(other_sum, other_n, out=np.full(both.shape, np.nan), where=both)
    correlations = _row_correlations(one, other)[both.sum(axis=1) >= MIN_CLIPS]
    defined = correlations[np.isfinite(correlations)]
    return float(defined.mean()) if len(defined) else None


def _reliability(squares: float, freedom: int, noise: Floats) -> float | None:
    return None if freedom < 1 or squares == 0 else 1 - float(noise.mean()) / (squares / freedom)


def _row_correlations(x: Floats, y: Floats) -> Floats:
    """Pearson's coefficient of each pair of rows over the columns that are known (not NaN); NaN where undefined."""
    known = np.isfinite(x) & np.isfinite(y)
    n = np.maximum(known.sum(axis=1, keepdims=True), 1)
    x, y = np.where(known, x, 0.0), np.where(known, y, 0.0)
    dx, dy = (np.where(known, values - values.sum(axis=1, keepdims=True) / n, 0.0) for values in (x, y))
    norm, size = (np.sqrt(np.sum(a**2, axis=1) * np.sum(b**2, axis=1)) for a, b in ((dx, dy), (x, y)))
    varies = norm > ROUNDING * size
    correlations: Floats = np.divide(np.sum(dx * dy, axis=1), norm, out=np.full(len(norm), np.nan), where=varies)
    return correlations
