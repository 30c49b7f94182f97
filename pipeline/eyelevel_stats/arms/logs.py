"""Welch's test of log times, for the runs of two stacks on one site: by ratio rather than by difference."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, expm1, lgamma, sqrt
from typing import Literal

import numpy as np
from scipy import stats

from eyelevel_stats.arms.anova import MIN_RUNS, spread
from eyelevel_stats.arms.power import smallest_log_difference
from eyelevel_stats.arms.welch import welch

LEVEL = 0.05

Method = Literal["welch", "paired"]


@dataclass(frozen=True)
class LogTest:
    """Welch's test of log times. Gains are fractions of the reference's time (geometric); below 0: new is faster.

    `log_ratio` and `log_se` are the estimate and its standard error on the logarithm; `gain` is exp(log_ratio) - 1.
    All but n and gain are None where an arm has fewer than 2 runs, or no run differs from another (`reason` says so).
    `hedges_g` is the difference in standard deviations; `superiority` the chance that a run of the new stack is the
    faster one (ties count half), `rank_p_value` that of the Mann-Whitney test beside it, exact where
    an arm has up to 8 runs and no two are equal. `smallest_speed_up` is the smallest gain (below 0) that a test at 5 %
    would have found with a chance of 80 %.
    """

    method: Method
    n_new: int
    n_reference: int
    log_ratio: float
    gain: float
    log_se: float | None = None
    freedom: float | None = None
    gain_ci_low: float | None = None
    gain_ci_high: float | None = None
    t: float | None = None
    p_value: float | None = None
    hedges_g: float | None = None
    superiority: float | None = None
    rank_p_value: float | None = None
    smallest_speed_up: float | None = None
    reason: str | None = None


def compare_logs(new_ms: Sequence[float], reference_ms: Sequence[float]) -> LogTest | None:
    """Computes B. L. Welch's test (Biometrika 34, 1947) on log times, all above 0. None where an arm is empty."""
    if not new_ms or not reference_ms:
        return None
    new, reference = np.log(np.asarray(new_ms, float)), np.log(np.asarray(reference_ms, float))
    ratio = float(new.mean() - reference.mean())
    n_new, n_reference = len(new), len(reference)
    reason = too_few(n_new, n_reference)
    if reason is None and not (spread(new_ms) or spread(reference_ms)):
        reason = "no run differs from another"
    if reason is not None:
        return LogTest("welch", n_new, n_reference, ratio, expm1(ratio), reason=reason)
    test = welch(new.tolist(), reference.tolist())
    ranks = stats.mannwhitneyu(new_ms, reference_ms, alternative="two-sided")
    return LogTest(
        "welch",
        n_new,
        n_reference,
        ratio,
        expm1(ratio),
        log_se=test.error,
        freedom=test.freedom,
        gain_ci_low=expm1(test.low),
        gain_ci_high=expm1(test.high),
        t=test.t,
        p_value=test.p_value,
        hedges_g=hedges_g(ratio, test.sds, (n_new, n_reference)),
        superiority=1 - float(ranks.statistic) / (n_new * n_reference),
        rank_p_value=float(ranks.pvalue),
        smallest_speed_up=as_speed_up(
            smallest_log_difference(test.sds[0], n_new, test.sds[1], n_reference, level=LEVEL)
        ),
    )


def too_few(*sizes: int) -> str | None:
    return f"fewer than {MIN_RUNS} runs" if min(sizes) < MIN_RUNS else None


def hedges_g(ratio: float, sds: tuple[float, float], ns: tuple[int, int]) -> float:
    """Computes L. V. Hedges's g (J. Educ. Statist. 6, 1981): the difference over the pooled sd, bias-corrected."""
    freedom = ns[0] + ns[1] - 2
    pooled = sqrt(((ns[0] - 1) * sds[0] ** 2 + (ns[1] - 1) * sds[1] ** 2) / freedom)
    return ratio / pooled * unbiasing(freedom)


def unbiasing(freedom: int) -> float:
    """Computes Hedges's correction J exactly, as the usual 1 - 3 / (4 df - 1) is inaccurate for few runs."""
    # by logarithms, because the gamma function exceeds the range of a float from about 300 runs
    return exp(lgamma(freedom / 2) - lgamma((freedom - 1) / 2)) / sqrt(freedom / 2) if freedom > 1 else 0.0


def as_speed_up(size: float | None) -> float | None:
    """Converts a distance of logarithms to a gain: a fraction between -1 and 0."""
    return None if size is None else expm1(-size)
