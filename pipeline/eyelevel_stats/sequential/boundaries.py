"""Boundaries of a two-sided group sequential test, from the alpha that it has spent at each look.

At looks with information I_1 < I_2 < ..., S_k = sqrt(I_k) Z_k is a sum of independent normal increments of variance
I_k - I_(k-1) where nothing differs. The density of S_k on the paths that have crossed no boundary follows from that of
S_(k-1) by numerical integration (P. Armitage, C. K. McPherson, B. C. Rowe, Repeated significance tests on accumulating
data, Journal of the Royal Statistical Society A 132, 1969). Each boundary is where the paths that cross it first at
this look have the probability that this look spends.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import ceil, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special

Floats = NDArray[np.float64]
# beyond this many standard deviations nothing happens: a boundary that spends less than that is set here
FARTHEST = 8.0
# Gauss-Legendre quadrature with so many nodes in each panel; a panel is at most so many standard deviations wide of the
# next increment, which smooths the density, but no more panels than these
NODES, PANEL, MOST_PANELS = 20, 2.0, 100


def boundaries(information: Sequence[float], spent: Sequence[float]) -> list[float]:
    """The boundary of |Z| at each look, in standard deviations.

    `information` rises from look to look, in any unit; `spent` is the two-sided alpha spent up to each look, below 1.
    A look that spends nothing, or almost nothing, has the boundary FARTHEST. Raise ValueError where the information
    does not rise or the spent alpha falls.
    """
    if any(later <= earlier for earlier, later in pairwise((0.0, *information))):
        raise ValueError(f"The information must rise from look to look, and begin above 0; got {list(information)}.")
    if any(later < earlier for earlier, later in pairwise((0.0, *spent))):
        raise ValueError(f"The spent alpha must not fall from look to look; got {list(spent)}.")
    limits: list[float] = []
    sums, weights = np.zeros(1), np.ones(1)
    before, used = 0.0, 0.0
    following = [*information[1:], 2 * information[-1]] if information else []
    for known, total, then in zip(information, spent, following, strict=True):
        step, root = sqrt(known - before), sqrt(known)
        z = _boundary(_crossing(sums, weights, step, root), total - used)
        limits.append(z)
        nodes, lengths = _nodes(z * root, sqrt(then - known))
        density: Floats = np.exp(-(((nodes[:, None] - sums) / step) ** 2) / 2) @ weights / (step * sqrt(2 * np.pi))
        sums, weights = nodes, density * lengths
        before, used = known, total
    return limits


def _crossing(sums: Floats, weights: Floats, step: float, root: float) -> Callable[[float], float]:
    """The probability that a path without a crossing so far lies beyond a boundary of Z now."""

    def probability(z: float) -> float:
        above, below = special.ndtr((sums - z * root) / step), special.ndtr((-z * root - sums) / step)
        return float((above + below) @ weights)

    return probability


def _boundary(crossing: Callable[[float], float], probability: float) -> float:
    if crossing(FARTHEST) >= probability:
        return FARTHEST
    return float(optimize.brentq(lambda z: crossing(z) - probability, 0.0, FARTHEST, xtol=1e-10))


def _nodes(end: float, step: float) -> tuple[Floats, Floats]:
    """Nodes from -end to end, and the length that each stands for; `step` is the deviation of the next increment."""
    panels = min(max(ceil(2 * end / (PANEL * step)), 10), MOST_PANELS)
    edges = np.linspace(-end, end, panels + 1)
    nodes, lengths = np.polynomial.legendre.leggauss(NODES)
    half = end / panels
    return ((edges[:-1] + half)[:, None] + half * nodes).ravel(), np.tile(half * lengths, panels)
