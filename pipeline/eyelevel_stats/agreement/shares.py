"""Bootstrap over clips of the reliability of MOS and of a metric's share of the ceiling (definition E9).

Clips of a site are drawn together where sites are known; the votes stay as they are. The weighted sums of all draws are
products of a matrix of counts with the sums of each site, so that no draw costs a loop.
"""

import numpy as np

from eyelevel_stats.agreement.clips import Floats
from eyelevel_stats.bootstrap import DRAWS
from eyelevel_stats.correlation import ROUNDING
from eyelevel_stats.hypotheses.estimand import Groups
from eyelevel_stats.intervals import CONFIDENCE, Interval

# the variance of a metric within a draw, against the whole, that is rounding
SAME = 1e-12


class Redrawn:
    """Draws of the same clips: reliability in each, and what each metric reaches of its ceiling.

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
        self._counts = rng.multinomial(units.count, np.full(units.count, 1 / units.count), size=draws).astype(float)
        self._mos = self._deviations(mos)
        self._n = self._sums(np.ones(len(mos)))
        self._squares = self._products(self._mos, self._mos)
        variance = _ratio(self._squares, self._freedom(), undefined=0.0)
        # where all MOS are equal, nothing but noise is left
        self._reliability = 1 - _ratio(self._sums(noise) / self._n, variance, undefined=np.inf)

    def reliability(self) -> Interval | None:
        """The 95 % percentile interval of the reliability; None where an end of it is not finite."""
        return _ends(self._reliability)

    def share(self, values: Floats) -> Interval | None:
        """The same of |Pearson| / ceiling; where a draw's reliability is not above 0, its share is infinite.

        In a draw in which the metric does not vary, its correlation is 0.
        """
        metric = self._deviations(values)
        own = self._products(metric, metric)
        own[own <= SAME * self._sums(metric**2)] = 0.0
        norm = np.sqrt(np.maximum(0.0, own * self._squares))
        pearson = np.abs(_ratio(self._products(metric, self._mos), norm, undefined=0.0))
        return _ends(_ratio(pearson, np.sqrt(np.maximum(0.0, self._reliability)), undefined=np.inf))

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
    """Low and high of an interval for a row of a table."""
    return (None, None) if interval is None else (interval.low, interval.high)


def _ratio(above: Floats, below: Floats, *, undefined: float) -> Floats:
    ratio: Floats = np.divide(above, below, out=np.full(len(below), undefined), where=below > 0)
    return ratio


def _ends(draws: Floats) -> Interval | None:
    # a drawn value each, since between a finite and an infinite one there is no mean
    low, high = np.quantile(draws, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2], method="inverted_cdf")
    return Interval(low=float(low), high=float(high)) if np.isfinite(low) and np.isfinite(high) else None
