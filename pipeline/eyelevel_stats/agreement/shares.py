"""Bootstrap over clips of the reliability of MOS and of a metric's share of the ceiling (definition E9).

Clips of a site are drawn together where sites are known; the votes stay as they are. Intervals are Student's t about
the estimate with the standard error of the draws, since percentiles of so few units cover the truth too seldom: with 12
sites, 86 to 92 % of the intervals of a share did in simulations, against 95 to 98 % of these. Intervals of reliability
still cover the truth in about 90 % only (tests/bench/coverage_ceiling.py). The weighted sums of all draws are products
of a matrix of counts with the sums of each site, so that no draw costs a loop.
"""

from math import exp, sqrt

import numpy as np
from scipy import special

from eyelevel_stats.agreement.clip_scores import Floats
from eyelevel_stats.correlation import ROUNDING
from eyelevel_stats.hypotheses.groups import Groups
from eyelevel_stats.intervals import CONFIDENCE, Interval

# enough for a standard error
DRAWS = 1000
# share of draws that need an estimate
LEAST_DEFINED = 0.975


class Redrawn:
    """Draws of the same clips: reliability in each, and each metric's share of its ceiling.

    `mos` and the metrics' values have one entry per clip, `noise` the squared standard errors of MOS; `units` are drawn
    with replacement. With `groups`, nested in units, all are centred within groups, and the mean of each group costs a
    degree of freedom.
    """

    def __init__(
        self,
        mos: Floats,
        noise: Floats,
        *,
        units: Groups,
        groups: Groups | None,
        rng: np.random.Generator,
        draws: int = DRAWS,
    ) -> None:
        self._units, self._groups = units, groups
        drawn = rng.multinomial(units.count, np.full(units.count, 1 / units.count), size=draws)
        # the first row is the clips as they are
        self._counts = np.vstack([np.ones(units.count), drawn])
        self._noisy = bool(noise.any())
        self._mos = self._deviations(mos)
        self._n = self._sums(np.ones(len(mos)))
        self._squares = self._products(self._mos, self._mos)
        variance = _ratio(self._squares, self._freedom(), undefined=0.0)
        # where all MOS are equal, nothing but noise is left
        self._reliability = 1 - _ratio(self._sums(noise) / self._n, variance, undefined=np.inf)

    def reliability(self) -> Interval | None:
        """The 95 % interval of the reliability, symmetric about log(1 - reliability), the log of the share of noise."""
        if not self._noisy:
            return Interval(1.0, 1.0)
        noise = 1 - self._reliability
        noise_share = self._interval(np.log(noise, out=np.full(len(noise), np.nan), where=np.isfinite(noise)))
        return None if noise_share is None else Interval(low=1 - exp(noise_share.high), high=1 - exp(noise_share.low))

    def share(self, values: Floats) -> Interval | None:
        """The same of |Pearson| / ceiling, symmetric; below 0 where the correlation may have the other sign.

        In a draw in which the metric does not vary, its correlation is 0. None where reliability is not above 0 in more
        than 2.5 % of the draws.
        """
        metric = self._deviations(values)
        norm = np.sqrt(np.maximum(0.0, self._products(metric, metric) * self._squares))
        pearson = _ratio(self._products(metric, self._mos), norm, undefined=0.0)
        ceiling = np.sqrt(np.maximum(0.0, self._reliability))
        shares = np.divide(pearson, ceiling, out=np.full(len(pearson), np.nan), where=ceiling > 0)
        return self._interval(shares if pearson[0] >= 0 else -shares)

    def _interval(self, estimates: Floats) -> Interval | None:
        """Student's t with the standard error of the draws; draws without an estimate are left out, if they are few.

        Draws of U units spread (U - 1) / U of what samples do, and the interval has U - 1 degrees of freedom.
        """
        units, drawn = self._units.count, estimates[1:][np.isfinite(estimates[1:])]
        if not np.isfinite(estimates[0]) or units < 2 or len(drawn) < LEAST_DEFINED * (len(estimates) - 1):
            return None
        error = float(drawn.std(ddof=1)) * sqrt(units / (units - 1))
        half = float(special.stdtrit(units - 1, (1 + CONFIDENCE) / 2)) * error
        return Interval(low=float(estimates[0]) - half, high=float(estimates[0]) + half)

    def _deviations(self, values: Floats) -> Floats:
        """From the mean of the group; without groups from the mean of all, against rounding."""
        deviations: Floats
        if self._groups is None:
            deviations = values - values.mean()
        else:
            means = self._groups.sums(values) / self._groups.sums(np.ones(len(values)))
            deviations = values - means[self._groups.of]
        # rounding of a metric that does not vary
        deviations[np.abs(deviations) <= ROUNDING * np.abs(values).max()] = 0.0
        return deviations

    def _sums(self, values: Floats) -> Floats:
        sums: Floats = self._counts @ self._units.sums(values)
        return sums

    def _products(self, x: Floats, y: Floats) -> Floats:
        """Sums of products of deviations in each draw."""
        raw = self._sums(x * y)
        return raw if self._groups is not None else raw - self._sums(x) * self._sums(y) / self._n

    def _freedom(self) -> Floats:
        if self._groups is None:
            return self._n - 1
        of_groups = np.zeros(self._groups.count, dtype=np.intp)
        of_groups[self._groups.of] = self._units.of
        return self._n - self._counts @ np.bincount(of_groups, minlength=self._units.count)


def ends(interval: Interval | None) -> tuple[float | None, float | None]:
    """Returns both ends of an interval for a row of a table."""
    return (None, None) if interval is None else (interval.low, interval.high)


def _ratio(above: Floats, below: Floats, *, undefined: float) -> Floats:
    ratio: Floats = np.divide(above, below, out=np.full(len(below), undefined), where=below > 0)
    return ratio
