"""Rank correlations of metrics with MOS in every draw of the two-way bootstrap, without a loop over draws."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy import sparse

from eyelevel_stats.agreement.clip_scores import Floats
from eyelevel_stats.agreement.scope import DECIMALS
from eyelevel_stats.bootstrap import numbered, two_way_counts
from eyelevel_stats.hypotheses.groups import Groups

# counts and MOS that are in memory at a time: 64 MB each
BLOCK = 8_000_000


class Ballot(NamedTuple):
    """Mean scores by participant and clip, as sparse arrays of shape (participants, clips), and where they exist."""

    scores: sparse.csr_array
    given: sparse.csr_array


def ballot(scores: Sequence[Mapping[str, float]]) -> Ballot:
    """Builds a ballot from the mean scores of each clip by participant."""
    people, person = numbered([who for score_of in scores for who in score_of])
    clip = np.repeat(np.arange(len(scores)), [len(score_of) for score_of in scores])
    values = np.array([score for score_of in scores for score in score_of.values()], dtype=np.float64)
    shape = (len(people), len(scores))
    return Ballot(
        sparse.csr_array((values, (person, clip)), shape),
        sparse.csr_array((np.ones(len(values)), (person, clip)), shape),
    )


def redrawn_correlations(
    votes: Ballot, metrics: Floats, *, cells: Groups, units: Groups, draws: int, rng: np.random.Generator
) -> Floats:
    """Computes Spearman's coefficient of each metric with MOS in each draw; shape (draws, metrics).

    `metrics` has shape (metrics, clips), without gaps. Participants and `units` (sites) are drawn (definition E8); MOS
    and metrics are centred within `cells`, which are nested in units. A clip without votes in a draw, or alone in its
    cell, is left out of the draw. A coefficient that is undefined in a draw, because nothing varies, counts as 0.
    """
    size = max(1, BLOCK // max(votes.given.shape))
    parts = [
        _correlations(votes, metrics, cells, people, places[:, units.of])
        for people, places in two_way_counts(
            votes.given.shape[0], units.count, draws=draws, rng=rng, block=min(size, draws)
        )
    ]
    drawn: Floats = np.concatenate(parts)
    return drawn


def observed_correlations(votes: Ballot, metrics: Floats, *, cells: Groups) -> Floats:
    """Computes the same for the votes themselves; shape (metrics,)."""
    people, clips = votes.given.shape
    (observed,) = _correlations(votes, metrics, cells, np.ones((1, people)), np.ones((1, clips)))
    correlations: Floats = observed
    return correlations


def rank_correlations(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Computes Spearman's coefficient of each row of weighted points; 0 where nothing varies."""
    return _correlation(_ranked(x, weights), _ranked(y, weights), weights)


class _Ranked(NamedTuple):
    """Deviations of ranks from their weighted mean, and their weighted sum of squares by row."""

    deviations: Floats
    squares: Floats


def _ranked(values: Floats, weights: Floats) -> _Ranked:
    ranks = weighted_ranks(values, weights)
    total = np.maximum(weights.sum(axis=1, keepdims=True), 1.0)
    deviations = ranks - np.sum(weights * ranks, axis=1, keepdims=True) / total
    return _Ranked(deviations, np.sum(weights * deviations * deviations, axis=1))


def _correlation(one: _Ranked, other: _Ranked, weights: Floats) -> Floats:
    norm = np.sqrt(one.squares * other.squares)
    shared = np.sum(weights * one.deviations * other.deviations, axis=1)
    # counts and ranks are exact, so that a norm without variation is exactly 0
    coefficients: Floats = np.divide(shared, norm, out=np.zeros(len(norm)), where=norm > 0)
    return coefficients


def weighted_ranks(values: Floats, weights: Floats) -> Floats:
    """Computes mean ranks within each row, with each value repeated by its weight; shifted by a constant."""
    order = np.argsort(values, axis=1)
    ordered = np.take_along_axis(values, order, axis=1)
    weight = np.take_along_axis(weights, order, axis=1)
    first = np.ones(values.shape, dtype=bool)
    first[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    starts = np.flatnonzero(first)
    # of each run of equal values: what comes before it, and half of the run itself
    before = (np.cumsum(weight, axis=1) - weight).ravel()[starts]
    middle = before + np.add.reduceat(weight.ravel(), starts) / 2
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, middle[np.cumsum(first.ravel()) - 1].reshape(values.shape), axis=1)
    return ranks


def _correlations(votes: Ballot, metrics: Floats, cells: Groups, people: Floats, places: Floats) -> Floats:
    count = people @ votes.given
    given = count > 0
    mos = np.divide(people @ votes.scores, count, out=np.zeros(count.shape), where=given)
    in_cell = _cell_sums(given.astype(np.float64), cells)[:, cells.of]
    weights = places * (given & (in_cell > 1))
    # once for all metrics
    ranked = _ranked(_centred(mos, given, in_cell, cells), weights)
    columns = [
        _correlation(
            _ranked(_centred(np.broadcast_to(values, mos.shape), given, in_cell, cells), weights), ranked, weights
        )
        for values in metrics
    ]
    return np.stack(columns, axis=1)


def _cell_sums(values: Floats, cells: Groups) -> Floats:
    member = sparse.csr_array(
        (np.ones(len(cells.of)), (np.arange(len(cells.of)), cells.of)), (len(cells.of), cells.count)
    )
    sums: Floats = values @ member
    return sums


def _centred(values: Floats, given: Floats, in_cell: Floats, cells: Groups) -> Floats:
    """Deviations from the mean of the cell's clips with votes, rounded so that equal deviations are ties."""
    mean = _cell_sums(values * given, cells)[:, cells.of] / np.maximum(in_cell, 1)
    scale = float(np.abs(values).max(initial=0.0)) or 1.0
    deviations: Floats = np.round((values - mean) / scale, DECIMALS)
    return deviations
