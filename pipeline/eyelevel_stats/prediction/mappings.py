"""Fits mappings from a metric to the mean opinion score (MOS) of a clip, by weighted least squares."""

import numpy as np
from scipy import optimize, special

from eyelevel_kinds.rate import ENDS
from eyelevel_stats.correlation import is_constant
from eyelevel_stats.ordinal.links import Floats
from eyelevel_stats.prediction.mapping import Mapping, Model

# the seven-point scale of `rate`
SCALE = (float(ENDS[0]), float(ENDS[1]))
# rates of the exponential that are tried, over the range of the metric: from almost linear to almost a step
RATES = np.geomspace(0.02, 40, 60)
# the largest exponent of which a factor is written
LARGEST = 300.0
# a MOS at an end of the scale has no logit; where the search for the logistic mapping begins, it is moved this share in
INSIDE = 0.02


def fit_mapping(
    model: Model, metric: Floats, mos: Floats, weights: Floats, *, scale: tuple[float, float] = SCALE
) -> Mapping | None:
    """The mapping with the least weighted sum of squared errors; a clip's weight is its number of votes.

    None where it is not defined: fewer than 3 clips, a constant metric (for iqx, a range below 1/15,000 of the values),
    or for wql a value that is not positive.
    """
    if len(metric) < 3 or is_constant(metric) or (model is Model.WQL and np.min(metric) <= 0):
        return None
    match model:
        case Model.LINEAR:
            a, b = _line(metric, mos, weights)
            return Mapping(model, a, b, None, scale)
        case Model.WQL:
            a, b = _line(np.log(metric), mos, weights)
            return Mapping(model, a, b, None, scale)
        case Model.IQX:
            return _exponential(metric, mos, weights, scale)
        case Model.LOGISTIC:
            return _logistic(metric, mos, weights, scale)


def _line(x: Floats, mos: Floats, weights: Floats) -> tuple[float, float]:
    centre, level = np.average(x, weights=weights), np.average(mos, weights=weights)
    slope = float(weights @ ((x - centre) * (mos - level)) / (weights @ (x - centre) ** 2))
    return float(level - slope * centre), slope


def _exponential(metric: Floats, mos: Floats, weights: Floats, scale: tuple[float, float]) -> Mapping | None:
    """For each rate the best line on the exponential is known, so that only the rate is searched."""
    low, span = float(np.min(metric)), float(np.ptp(metric))
    place = (metric - low) / span

    def loss(log_rate: float) -> float:
        x = np.exp(-np.exp(log_rate) * place)
        a, b = _line(x, mos, weights)
        return float(weights @ (mos - a - b * x) ** 2)

    # exp(c low), by which b is multiplied in the end, must be a number
    rates = np.log(RATES[RATES * max(low, 0) / span < LARGEST])
    if len(rates) == 0:
        return None
    at = int(np.argmin([loss(rate) for rate in rates]))
    ends = rates[max(at - 1, 0)], rates[min(at + 1, len(rates) - 1)]
    best = float(optimize.minimize_scalar(loss, bounds=ends, method="bounded", options={"xatol": 1e-6}).x)
    a, b = _line(np.exp(-np.exp(best) * place), mos, weights)
    rate = float(np.exp(best)) / span
    return Mapping(Model.IQX, a, b * float(np.exp(rate * low)), rate, scale)


def _logistic(metric: Floats, mos: Floats, weights: Floats, scale: tuple[float, float]) -> Mapping:
    low, high = scale
    centre, spread, root = float(np.mean(metric)), float(np.std(metric)), np.sqrt(weights)
    x = (metric - centre) / spread
    share = (mos - low) / (high - low)

    def errors(line: Floats) -> Floats:
        residuals: Floats = root * (special.expit(line[0] + line[1] * x) - share)
        return residuals

    def slopes(line: Floats) -> Floats:
        at = special.expit(line[0] + line[1] * x)
        steep = root * at * (1 - at)
        return np.column_stack([steep, steep * x])

    start = _line(x, special.logit(np.clip(share, INSIDE, 1 - INSIDE)), weights)
    a, b = optimize.least_squares(errors, start, jac=slopes, method="lm").x
    return Mapping(Model.LOGISTIC, float(a - b * centre / spread), float(b / spread), None, scale)
