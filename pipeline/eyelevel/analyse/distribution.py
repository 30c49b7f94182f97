"""How often each score was given, over all votes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# more distinct scores than this are counted by ranges
MOST_SCORES, RANGES = 25, 20

COLUMNS = {
    "score_low": "the score in points, or the lower end of a range of scores, which belongs to it",
    "score_high": "the same score, or the upper end of the range, which belongs to the next one but for the last range",
    "votes": "votes with that score, each row of the table counted once",
    "share": "votes / all votes, a fraction",
}


@dataclass(frozen=True)
class ScoreRow:
    """One score, or a range of scores; `share` is a fraction of all votes."""

    score_low: float
    score_high: float
    votes: int
    share: float


def score_rows(scores: NDArray[np.float64] | Sequence[float], ends: tuple[float, float]) -> tuple[ScoreRow, ...]:
    """From the lowest to the highest; whole points that nobody gave count 0, and so do empty ranges.

    Up to 25 distinct scores have a row each; more are counted in 20 ranges of equal width over the scale.
    """
    values = np.asarray(scores, dtype=np.float64)
    if not len(values):
        return ()
    distinct, counts = np.unique(values, return_counts=True)
    low, high = ends
    if len(distinct) <= MOST_SCORES:
        found = {float(score): int(count) for score, count in zip(distinct, counts, strict=True)}
        if high - low < MOST_SCORES and float(low).is_integer():
            found = {**{float(point): 0 for point in np.arange(low, high + 0.5)}, **found}
        return tuple(ScoreRow(one, one, n, n / len(values)) for one, n in sorted(found.items()))
    histogram, edges = np.histogram(values, bins=RANGES, range=ends)
    return tuple(
        ScoreRow(float(edges[n]), float(edges[n + 1]), int(votes), int(votes) / len(values))
        for n, votes in enumerate(histogram)
    )
