"""Thresholds of discrimination and of indifference, from the fitted slope (definition E12).

Both are relative differences of Speed Index: 0.25 where the slower side takes 25 % longer. Between sides without bias,

- at the discrimination threshold, 3^(1/b) - 1, 75 % of the decided answers name the faster side;
- at the indifference threshold, nu^(2/b) - 1, the answer none is as frequent as the faster side. It depends on how
  readily people answer none (their criterion), and exists only where nu > 1.

A threshold is exp(a / b) - 1 with a = ln 3 or a = 2 ln nu. Its interval is that of a / b by E. C. Fieller (Some
problems in interval estimation, J. R. Statist. Soc. B 16, 1954), with the covariance clustered by participant. Where a
is exact, as ln 3 is, its ends are the thresholds at both ends of the interval of b.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp, expm1, log, sqrt

from eyelevel_stats.intervals import Interval
from eyelevel_stats.pairs.likelihood import Fit, NoFit
from eyelevel_stats.pairs.slopes import Slope, quantile
from eyelevel_stats.reasons import Reason, worded
from eyelevel_stats.rows.comparisons import Kind, ThresholdRow

# of logs of ratios: a threshold at the very end of the observed ones is among them
ROUNDING = 1e-9
# an upper end beyond this ratio is as good as none
UNBOUNDED = 1000.0


@dataclass(frozen=True)
class Numerator:
    """What the slope divides: an estimate with its variance, and its covariance with the slope."""

    value: float
    variance: float
    covariance: float


def threshold_rows(slopes: Iterable[Slope]) -> tuple[ThresholdRow, ...]:
    """Both thresholds of each fit, in their order."""
    return tuple(row for slope in slopes for row in (_discrimination(slope), _indifference(slope)))


def _discrimination(slope: Slope) -> ThresholdRow:
    if (why := unusable(slope)) is not None or isinstance(slope.fit, NoFit) or slope.fit.clustered is None:
        return ThresholdRow(slope.network, "discrimination", None, None, None, worded(why))
    return _row(slope, slope.fit, "discrimination", Numerator(log(3), 0.0, 0.0))


def _indifference(slope: Slope) -> ThresholdRow:
    if (why := unusable(slope)) is not None or isinstance(slope.fit, NoFit) or slope.fit.clustered is None:
        return ThresholdRow(slope.network, "indifference", None, None, None, worded(why))
    if slope.fit.nu <= 1:
        few = (
            f"nu is {slope.fit.nu:.2f}; only above 1, none is the most frequent answer where both sides are equally "
            "fast"
        )
        return ThresholdRow(slope.network, "indifference", None, None, None, few)
    spread = slope.fit.clustered
    top = Numerator(2 * float(slope.fit.values[-1]), 4 * float(spread[-1, -1]), 2 * float(spread[0, -1]))
    return _row(slope, slope.fit, "indifference", top)


def unusable(slope: Slope) -> Reason | None:
    """Why the slope gives no threshold at all."""
    if slope.why is not None:
        return slope.why
    interval = slope.interval(0)
    if interval is None:
        return Reason("few_participants_for_slope", {"participants": slope.participants})
    if interval.high < 0:
        return Reason("slower_chosen")
    if interval.low <= 0:
        return Reason("slope_contains_0", {"low": interval.low, "high": interval.high})
    return None


def _row(slope: Slope, fit: Fit, threshold: Kind, top: Numerator) -> ThresholdRow:
    value = top.value / float(fit.values[0])
    assert slope.ratios is not None  # noqa: S101 - a fit has votes
    if not log(slope.ratios.low) - ROUNDING <= value <= log(slope.ratios.high) + ROUNDING:
        observed = f"{slope.ratios.low:.2f} to {slope.ratios.high:.2f}"
        ratio = f"above {UNBOUNDED:.0f}" if value > log(UNBOUNDED) else f"{exp(value):.2f}"
        why = f"its ratio of Speed Indexes, {ratio}, is outside the observed ones, {observed}"
        return ThresholdRow(slope.network, threshold, None, None, None, why)
    interval = _fieller(top, fit)
    high = None if interval.high > log(UNBOUNDED) else expm1(interval.high)
    return ThresholdRow(slope.network, threshold, expm1(value), max(0.0, expm1(interval.low)), high, None)


def _fieller(top: Numerator, fit: Fit) -> Interval:
    """The interval of top / slope, where that of the slope does not contain 0."""
    assert fit.clustered is not None  # noqa: S101 - asked before
    slope, squared = float(fit.values[0]), quantile(fit) ** 2
    a = slope**2 - squared * float(fit.clustered[0, 0])
    b = top.value * slope - squared * top.covariance
    c = top.value**2 - squared * top.variance
    # rounding may carry it below 0 where the numerator is exact
    root = sqrt(max(0.0, b**2 - a * c))
    return Interval((b - root) / a, (b + root) / a)
