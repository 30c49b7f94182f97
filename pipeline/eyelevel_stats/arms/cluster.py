"""Mean gain over sites, with intervals for sites like these (clustered by site) and for these very sites."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import expm1, fsum, sqrt

import numpy as np
from scipy import special, stats

from eyelevel_stats.arms.anova import spread
from eyelevel_stats.arms.logs import LEVEL, LogTest, as_speed_up
from eyelevel_stats.arms.power import smallest_log_mean
from eyelevel_stats.intervals import CONFIDENCE

MIN_SITES = 2


@dataclass(frozen=True)
class Overall:
    """The geometric mean gain over sites, a fraction; below 0: new is faster. Each site counts once.

    `gain_ci_*` and `p_value` are for sites like these: the sites' log ratios by Student's t, which is the interval of
    a linear model with standard errors clustered by site. `here_*` are for these very sites: only the runs' spread.
    None: not estimable, for the cause in `reason`.
    """

    sites: int
    log_ratio: float
    gain: float
    gain_ci_low: float | None
    gain_ci_high: float | None
    p_value: float | None
    here_ci_low: float | None
    here_ci_high: float | None
    here_p_value: float | None
    site_sd_log: float | None
    smallest_speed_up: float | None
    reason: str | None


def overall(tests: Sequence[LogTest]) -> Overall | None:
    """Computes the mean gain from one test per site; None without a test."""
    if not tests:
        return None
    ratios = [test.log_ratio for test in tests]
    mean = fsum(ratios) / len(ratios)
    here = _here(tests, mean)
    reason = _reason(ratios)
    low = high = p = sd = smallest = None
    if reason is None:
        t_test = stats.ttest_1samp(ratios, 0.0)
        low, high = (expm1(float(end)) for end in t_test.confidence_interval(CONFIDENCE))
        p, sd = float(t_test.pvalue), float(np.std(ratios, ddof=1))
        smallest = as_speed_up(smallest_log_mean(sd, len(ratios), level=LEVEL))
    return Overall(len(ratios), mean, expm1(mean), low, high, p, *here, sd, smallest, reason)


def _reason(ratios: Sequence[float]) -> str | None:
    if len(ratios) < MIN_SITES:
        return "one site says nothing about others"
    return None if spread(ratios) else "no site differs from another"


def _here(tests: Sequence[LogTest], mean: float) -> tuple[float | None, float | None, float | None]:
    """Computes the interval of these sites' mean; degrees of freedom by F. E. Satterthwaite (Biometrics 2, 1946)."""
    parts = [(test.log_se**2, test.freedom) for test in tests if test.log_se is not None and test.freedom is not None]
    if len(parts) < len(tests) or not any(part for part, _ in parts):
        return None, None, None
    variance = fsum(part for part, _ in parts)
    freedom = variance**2 / fsum(part**2 / freedom_of_part for part, freedom_of_part in parts)
    error = sqrt(variance) / len(tests)
    half = float(special.stdtrit(freedom, (1 + CONFIDENCE) / 2)) * error
    return expm1(mean - half), expm1(mean + half), 2 * float(special.stdtr(freedom, -abs(mean) / error))
