"""The distribution of scores over all votes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eyelevel_core.tables import Table, column

# more distinct scores than this are counted by ranges
MOST_SCORES, RANGES = 25, 20


@dataclass(frozen=True)
class ScoreRow:
    """One score, or a range of scores; `share` is a fraction of all votes."""

    score_low: float = column(
        "score in points, or lower end of a range of scores (inclusive)",
        "der Wert in Punkten, oder die untere Grenze eines Bereichs, zu dem sie gehört",
        head="score",
        head_de="Wert",
        shown="precise",
    )
    score_high: float = column(
        "the same score, or upper end of the range (exclusive, except for the last range)",
        "derselbe Wert, oder die obere Grenze, die außer beim letzten Bereich zum nächsten gehört",
        head="to",
        head_de="bis",
        shown="precise",
    )
    votes: int = column(
        "number of votes with this score; each row of the table counts once",
        "Bewertungen mit diesem Wert, jede Zeile der Tabelle einmal",
    )
    share: float = column("votes / all votes, as a fraction", "votes / alle Bewertungen", shown="share")


DISTRIBUTION = Table("distribution", "Votes by score", "Bewertungen nach Wert", ScoreRow)


def score_rows(scores: NDArray[np.float64] | Sequence[float], ends: tuple[float, float]) -> tuple[ScoreRow, ...]:
    """Counts the votes by score, from the lowest to the highest; unused whole points and empty ranges count 0.

    Up to 25 distinct scores have a row each; more are counted in 20 ranges of equal width over the scale.
    """
    values = np.asarray(scores, dtype=np.float64)
    if not len(values):
        return ()
    distinct, counts = np.unique(values, return_counts=True)
    low, high = ends
    if len(distinct) <= MOST_SCORES:
        votes_by = {float(score): int(count) for score, count in zip(distinct, counts, strict=True)}
        if high - low < MOST_SCORES and float(low).is_integer():
            votes_by = {**{float(point): 0 for point in np.arange(low, high + 0.5)}, **votes_by}
        return tuple(ScoreRow(score, score, n, n / len(values)) for score, n in sorted(votes_by.items()))
    histogram, edges = np.histogram(values, bins=RANGES, range=ends)
    return tuple(
        ScoreRow(float(edges[n]), float(edges[n + 1]), int(votes), int(votes) / len(values))
        for n, votes in enumerate(histogram)
    )
