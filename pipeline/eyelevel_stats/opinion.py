"""Mean opinion scores (MOS) with confidence intervals, for many groups of votes at once."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from eyelevel_stats.intervals import student_half_widths

T = TypeVar("T", bound=Hashable)
EVERYWHERE = (-np.inf, np.inf)


@dataclass(frozen=True)
class Opinion:
    """The opinion of participants about one thing; `n` counts participants, `votes` their votes.

    `sd` (divisor n - 1) and the ends of the 95 % interval are None where n < 2.
    """

    n: int
    votes: int
    mos: float
    sd: float | None
    ci_low: float | None
    ci_high: float | None


def opinions(
    groups: Sequence[T],
    participants: Sequence[Hashable],
    scores: Sequence[float],
    *,
    scale: tuple[float, float] | None = None,
) -> dict[T, Opinion]:
    """Computes the mean opinion score of each group; the three columns have one entry per vote.

    Several votes of one participant in one group are averaged first, so each participant counts once and the
    interval (Student's t, see `student_half_widths`) is over independent people, not over repeated answers.
    With a `scale`, its least and greatest score, intervals are cut at its ends: no mean lies beyond them, so the cut
    interval holds the true mean exactly as often. Groups come in the order of their first vote.
    """
    if not len(groups) == len(participants) == len(scores):
        raise ValueError(f"Columns differ in length: {len(groups)}, {len(participants)}, {len(scores)}.")
    if not groups:
        return {}
    names, group = codes_of(groups)
    people, person = codes_of(participants)
    of_groups = opinions_of_codes(
        group, person, np.asarray(scores, dtype=np.float64), groups=len(names), people=len(people), scale=scale
    )
    return {name: opinion for name, opinion in zip(names, of_groups, strict=True) if opinion is not None}


def opinions_of_codes(
    group: NDArray[np.integer],
    person: NDArray[np.integer],
    scores: NDArray[np.float64],
    *,
    groups: int,
    people: int,
    scale: tuple[float, float] | None = None,
) -> tuple[Opinion | None, ...]:
    """Computes the same from arrays with one entry per vote: codes below `groups` and `people`, and scores.

    The n-th entry of the result is that of the n-th group, None where it has no vote. A million votes take less than a
    second and some 50 MB. Raise ValueError where a score is not finite or lies beyond the scale.
    """
    if len(scores) == 0:
        return (None,) * groups
    if not np.isfinite(scores).all():
        raise ValueError("A score is not a finite number; leave unknown scores out.")
    ends = EVERYWHERE if scale is None else scale
    if not ends[0] <= scores.min() <= scores.max() <= ends[1]:
        raise ValueError(f"Scores are {scores.min():g} to {scores.max():g}, but their scale is {ends[0]} to {ends[1]}.")
    pairs, pair = np.unique(group.astype(np.int64) * people + person, return_inverse=True)
    own_mean = np.bincount(pair, weights=scores) / np.bincount(pair)
    return _summaries(pairs // people, own_mean, np.bincount(group, minlength=groups), ends)


def _summaries(
    group: NDArray[np.int64],
    values: NDArray[np.float64],
    votes: NDArray[np.int64],
    ends: tuple[float, float],
) -> tuple[Opinion | None, ...]:
    groups = len(votes)
    n = np.bincount(group, minlength=groups)
    mean = np.bincount(group, weights=values, minlength=groups) / np.maximum(n, 1)
    squares = np.bincount(group, weights=(values - mean[group]) ** 2, minlength=groups)
    sd = np.sqrt(squares / np.maximum(n - 1, 1))
    half = student_half_widths(sd, n)
    low, high = np.maximum(mean - half, ends[0]), np.minimum(mean + half, ends[1])
    return tuple(
        Opinion(
            n=int(n[i]),
            votes=int(votes[i]),
            mos=float(mean[i]),
            sd=float(sd[i]) if n[i] >= 2 else None,
            ci_low=float(low[i]) if n[i] >= 2 else None,
            ci_high=float(high[i]) if n[i] >= 2 else None,
        )
        if n[i]
        else None
        for i in range(groups)
    )


def codes_of(column: Sequence[T]) -> tuple[list[T], NDArray[np.int64]]:
    """Returns the distinct values in the order of first appearance, and the place of each entry among them."""
    places = {value: place for place, value in enumerate(dict.fromkeys(column))}
    return list(places), np.fromiter(map(places.__getitem__, column), np.int64, len(column))
