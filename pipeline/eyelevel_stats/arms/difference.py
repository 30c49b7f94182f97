"""Differences of two means in their own unit, and gains of means, within strata such as sites."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import fsum, sqrt

import numpy as np
from scipy import special

from eyelevel_stats.arms.anova import MIN_RUNS, spread
from eyelevel_stats.intervals import CONFIDENCE, Interval, student_half_widths

# the values of one stratum: (new, reference)
Stratum = tuple[Sequence[float], Sequence[float]]


@dataclass(frozen=True)
class Difference:
    """The strata's mean of mean(new) - mean(reference), with its 95 % interval.

    Its ends are None where no stratum has 2 values in both arms. `n_new` and `n_reference` are the values counted, of
    `strata` strata. `floor` is the end of the interval that is farther from 0: smaller differences cannot be
    distinguished from this one. `p_value` is the two-sided p of no difference; None without an interval, or where
    nothing varies.
    `strata_ci` is the interval for strata like these, by Student's t over the strata; None where none differs.
    """

    n_new: int
    n_reference: int
    difference: float
    ci_low: float | None
    ci_high: float | None
    floor: float | None
    p_value: float | None = None
    strata: int = 0
    strata_ci: Interval | None = None


def difference(strata: Sequence[Stratum], *, paired: bool = False) -> Difference | None:
    """Computes a difference within strata (e.g. sites), each of which counts once; None where an arm is empty in all.

    Effects of a stratum on both arms, such as a page whose first paint the browser reports late, do not widen the
    interval: variances of the arms' means add within strata (B. L. Welch, Biometrika 34, 1947), degrees of freedom
    by F. E. Satterthwaite (Biometrics 2, 1946); with one stratum this is Welch's interval. Strata with a single value
    in an arm have no variance, and are excluded if others have one.

    Paired: the values of both arms at one place of a stratum belong together (a block), and the variance is that of
    their differences; with one stratum this is Student's interval. ValueError where the arms differ in length.
    """
    counted, varying = _counted(strata)
    if not counted:
        return None
    gaps = [float(np.mean(new) - np.mean(reference)) for new, reference in counted]
    return _difference(counted, gaps, _mean_error(varying, paired=paired))


def mean_gain(strata: Sequence[Stratum], *, paired: bool = False) -> Difference | None:
    """Computes the strata's mean of (mean(new) - mean(reference)) / mean(reference), with its 95 % interval.

    The interval is that of `difference` for new / mean(reference) and mean(new) / mean(reference)^2 * reference: the
    linearised variance of a ratio of means (W. G. Cochran, Sampling Techniques, 3rd ed. 1977, chapter 6). Means of
    the reference must be above 0. No p-value is given.
    """
    counted, varying = _counted(strata)
    if not counted:
        return None
    gains = [float(np.mean(new) / np.mean(reference)) - 1 for new, reference in counted]
    error = _mean_error([_linear(stratum) for stratum in varying], paired=paired)
    return replace(_difference(counted, gains, error), p_value=None)


def _counted(strata: Sequence[Stratum]) -> tuple[list[Stratum], list[Stratum]]:
    """Returns the strata that count, and those of them with a variance: all or none."""
    both = [(new, reference) for new, reference in strata if new and reference]
    spread = [stratum for stratum in both if min(map(len, stratum)) >= MIN_RUNS]
    return spread or both, spread


def _linear(stratum: Stratum) -> Stratum:
    new, reference = (np.asarray(arm, float) for arm in stratum)
    scale = float(reference.mean())
    ratio = float(new.mean()) / scale
    return (new / scale).tolist(), (ratio * reference / scale).tolist()


def _mean_error(spread: Sequence[Stratum], *, paired: bool) -> tuple[float, float] | None:
    """Standard error of the strata's mean and its degrees of freedom; None where no stratum has a variance."""
    if not spread:
        return None
    if paired:
        error, freedom = _error([[a - b for a, b in zip(*stratum, strict=True)] for stratum in spread])
    else:
        error, freedom = _error([arm for stratum in spread for arm in stratum])
    return error / len(spread), freedom


def _difference(
    counted: Sequence[Stratum], gaps: Sequence[float], mean_error: tuple[float, float] | None
) -> Difference:
    """Builds the result from the gap of each stratum."""
    gap = fsum(gaps) / len(gaps)
    n_new, n_reference = (sum(len(stratum[arm]) for stratum in counted) for arm in (0, 1))
    alone = Difference(n_new, n_reference, gap, None, None, None, strata=len(gaps), strata_ci=_over_strata(gaps, gap))
    if mean_error is None:
        return alone
    error, freedom = mean_error
    if not error:
        return replace(alone, ci_low=gap, ci_high=gap, floor=abs(gap))
    half = float(special.stdtrit(freedom, (1 + CONFIDENCE) / 2)) * error
    low, high = gap - half, gap + half
    p_value = 2 * float(special.stdtr(freedom, -abs(gap) / error))
    return replace(alone, ci_low=low, ci_high=high, floor=max(abs(low), abs(high)), p_value=p_value)


def _over_strata(gaps: Sequence[float], mean: float) -> Interval | None:
    if not spread(gaps):
        return None
    half = float(student_half_widths(np.std([gaps], axis=1, ddof=1), np.array([len(gaps)]))[0])
    return Interval(mean - half, mean + half)


def _error(samples: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Standard error of a sum of these samples' means, whatever their signs, and its degrees of freedom."""
    parts = [(float(np.var(sample, ddof=1)) / len(sample), len(sample) - 1) for sample in samples]
    variance = fsum(part for part, _ in parts)
    if not variance:
        return 0.0, 0.0
    return sqrt(variance), variance**2 / fsum(part**2 / freedom for part, freedom in parts)
