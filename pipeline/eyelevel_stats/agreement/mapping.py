"""Prediction error of a metric after a monotone mapping to MOS (Recommendation ITU-T P.1401, 01/2020)."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.polynomial import polynomial
from numpy.typing import NDArray
from scipy import special

from eyelevel_stats.agreement.clip_scores import Floats
from eyelevel_stats.correlation import ROUNDING, is_constant

CUBIC, LINEAR = "cubic", "linear"
# coefficients of each mapping, which are its degrees of freedom in rmse
COEFFICIENTS = {CUBIC: 4, LINEAR: 2}
# slopes this small against the largest one are rounding
FLAT = 1e-9


@dataclass(frozen=True)
class Mapped:
    """The MOS that the metric predicts for each clip; `freedom` is the number of coefficients fitted for it."""

    kind: str
    predicted: Floats
    freedom: int


@dataclass(frozen=True)
class Errors:
    """Prediction errors in points of the scale; `outlier_ratio` is a share. None without intervals of the MOS."""

    rmse: float
    rmse_star: float | None
    outlier_ratio: float | None


def monotone_mapping(values: Floats, mos: Floats) -> Mapped | None:
    """Fits the third-order polynomial of the metric's values by least squares, if it is monotone.

    ITU-T P.1401, clause 7.3.2: monotone between the smallest and the largest value. Otherwise, or with
    fewer than four different values, the first-order polynomial. None for fewer than two different values.
    """
    if is_constant(values):
        return None
    scaled = 2 * (values - values.min()) / float(np.ptp(values)) - 1
    kind, (coefficients, rank) = CUBIC, _fit(scaled, mos, CUBIC)
    if rank < COEFFICIENTS[CUBIC] or not _is_monotone(coefficients):
        kind, (coefficients, _) = LINEAR, _fit(scaled, mos, LINEAR)
    return Mapped(kind, polynomial.polyval(scaled, coefficients), COEFFICIENTS[kind])


def prediction_errors(mos: Floats, predicted: Floats, half_widths: Floats | None, *, freedom: int) -> Errors:
    """Computes errors of predicted MOS by clip; `half_widths` are those of the 95 % intervals of the MOS.

    ITU-T P.1401: rmse with the divisor N - freedom (7.5.1), the share of errors beyond the interval (7.5.2.2), and
    rmse* (7.7), in which only the part of an error beyond the interval counts. Raises ValueError where N <= freedom.
    """
    left = len(mos) - freedom
    if left <= 0:
        raise ValueError(f"{len(mos)} clips leave no error of a mapping with {freedom} coefficients.")
    error = np.abs(mos - predicted)
    rmse = float(np.sqrt(error @ error / left))
    if half_widths is None:
        return Errors(rmse, None, None)
    beyond = np.maximum(0.0, error - half_widths)
    # an error that equals its half width up to rounding is within
    outliers = beyond > ROUNDING * np.maximum(np.abs(mos), 1)
    return Errors(rmse, float(np.sqrt(beyond @ beyond / left)), float(outliers.mean()))


def larger_rmse_p(larger: float, smaller: float, *, freedom_larger: int, freedom_smaller: int) -> float | None:
    """Computes the one-sided p of the F test whether the larger of two rmse is truly larger; None where both are 0.

    ITU-T P.1401, clause 7.6.4: the ratio of both squares against F with N - d degrees of freedom each. It assumes
    normal errors that are independent between metrics; errors on the same clips are not, so that the test is
    conservative where metrics err alike.
    """
    if smaller == 0:
        return None if larger == 0 else 0.0
    return float(special.fdtrc(freedom_larger, freedom_smaller, (larger / smaller) ** 2))


def _fit(scaled: Floats, mos: Floats, kind: str) -> tuple[NDArray[np.floating[Any]], int]:
    """Coefficients by least squares, from the constant on, and the rank of the problem."""
    powers = polynomial.polyvander(scaled, COEFFICIENTS[kind] - 1)
    coefficients, _, rank, _ = np.linalg.lstsq(powers, mos, rcond=None)
    return coefficients, int(rank)


def _is_monotone(coefficients: NDArray[np.floating[Any]]) -> bool:
    """Whether the slope of a cubic over -1 to 1 keeps its sign: at both ends and at its own extreme."""
    _, linear, square, cube = coefficients
    places = [-1.0, 1.0]
    if cube != 0 and abs(square) < 3 * abs(cube):
        places.append(-square / (3 * cube))
    slopes = np.array([linear + 2 * square * place + 3 * cube * place**2 for place in places])
    tolerance = FLAT * float(np.abs(slopes).max())
    return bool((slopes >= -tolerance).all() or (slopes <= tolerance).all())
