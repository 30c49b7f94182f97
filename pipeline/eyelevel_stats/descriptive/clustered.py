"""Estimates with standard errors clustered by participant, and their Student's t interval and p-value."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy import special

from eyelevel_stats.descriptive.crossing import Additive, Floats, numbered
from eyelevel_stats.intervals import CONFIDENCE

# a regressor that participants and cells explain up to this share of its variance has no slope
ROUNDING = 1e-9


@dataclass(frozen=True)
class Estimate:
    """An estimate with the 95 % interval and the two-sided p against 0, by Student's t with `freedom` degrees.

    All but the value are None with fewer than 2 participants; p is None as well where the standard error is 0.
    """

    value: float
    se: float | None
    freedom: int | None
    ci_low: float | None
    ci_high: float | None
    p_value: float | None


def estimate(value: float, variance: float, freedom: int) -> Estimate:
    """Computes the interval of a value whose variance has these degrees of freedom; no interval with fewer than 1."""
    if freedom < 1:
        return Estimate(value, None, None, None, None, None)
    se = sqrt(variance)
    half = float(special.stdtrit(freedom, (1 + CONFIDENCE) / 2)) * se
    p = None if se == 0 else min(1.0, 2 * float(special.stdtr(freedom, -abs(value) / se)))
    return Estimate(value, se, freedom, value - half, value + half, p)


def slope_within(
    participants: Sequence[str], cells: Sequence[tuple[str, ...]], x: Floats, score: Floats
) -> Estimate | None:
    """Estimates the slope of the score on x, given participant and cell; None where these two explain x.

    Ordinary least squares of score on x with a level for each participant and each cell. The variance is clustered by
    participant (K.-Y. Liang, S. L. Zeger, Biometrika 73, 1986) with the factor P / (P - 1), and has P - 1 degrees of
    freedom for P participants. `x` and `score` have one entry per vote.
    """
    if not len(participants):
        return None
    (people, person), (_, cell) = numbered(participants), numbered(cells)
    fit = Additive(person, cell)
    left = fit.residuals(x)
    information = float(left @ left)
    if fit.freedom < 1 or information <= ROUNDING * float(np.sum((x - x.mean()) ** 2)):
        return None
    y = fit.residuals(score)
    value = float(left @ y) / information
    moved = np.bincount(person, left * (y - value * left) / information, len(people))
    count = len(people)
    return estimate(value, float(moved @ moved) * count / max(count - 1, 1), count - 1)


@dataclass(frozen=True)
class Difference:
    """Second side minus first side, over the cells that both have; participants of each side in these cells."""

    estimate: Estimate
    cells: int
    first_participants: int
    second_participants: int


def matched_difference(
    participants: Sequence[str], cells: Sequence[tuple[str, ...]], second: Sequence[bool], scores: Sequence[float]
) -> Difference | None:
    """Estimates the mean over common cells of (MOS of the second side - MOS of the first), with equal weights.

    Several votes of one participant in one cell of one side are averaged first. The variance is clustered by
    participant, for these very cells: the influences of one participant's votes on both sides form one sum. With m
    participants on the smaller side, it has the factor m / (m - 1) and m - 1 degrees of freedom: the paired test where
    everyone is on both sides, Welch's standard error where the sides are other people, equally many.

    None without a common cell.
    """
    scores_of: defaultdict[tuple[tuple[str, ...], bool, str], list[float]] = defaultdict(list)
    for person, cell, side, score in zip(participants, cells, second, scores, strict=True):
        scores_of[cell, side, person].append(score)
    common = {cell for cell, side, _ in scores_of if side} & {cell for cell, side, _ in scores_of if not side}
    if not common:
        return None
    means = sorted((key, sum(sorted(values)) / len(values)) for key, values in scores_of.items() if key[0] in common)
    _, group = numbered([(cell, side) for (cell, side, _), _ in means])
    people, who = numbered([person for (_, _, person), _ in means])
    sign = np.array([1.0 if side else -1.0 for (_, side, _), _ in means])
    value = np.array([score for _, score in means])
    size = np.bincount(group)
    mean = np.bincount(group, value) / size
    weight = sign / (size[group] * len(common))
    moved = np.bincount(who, weight * (value - mean[group]), len(people))
    first, other = (len({person for (_, side, person), _ in means if side is which}) for which in (False, True))
    least = min(first, other)
    variance = float(moved @ moved) * least / max(least - 1, 1)
    return Difference(estimate(float(weight @ value), variance, least - 1), len(common), first, other)
