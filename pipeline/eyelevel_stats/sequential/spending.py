"""Alpha spending: the part of alpha that a test has spent at a share of its information.

K. K. G. Lan, D. L. DeMets, Discrete sequential boundaries for clinical trials, Biometrika 70 (1983). Their functions
are of one-sided tests; a two-sided test spends alpha / 2 on either side, each side by the same function. That is the
convention of D. M. Reboussin, D. L. DeMets, K. Kim, K. K. G. Lan, Computations for group sequential boundaries using
the Lan-DeMets spending function method, Controlled Clinical Trials 21 (2000).
"""

from math import e, log, sqrt
from typing import Literal

from scipy import special

Spending = Literal["obrien-fleming", "pocock"]


def spent(fraction: float, *, alpha: float, spending: Spending) -> float:
    """Computes the two-sided alpha that is spent at this fraction of the information, above 0 and at most 1.

    `obrien-fleming` spends little early: per side 2 - 2 Phi(z / sqrt(t)), z the quantile of a quarter of alpha.
    `pocock` spends nearly evenly: per side alpha / 2 ln(1 + (e - 1) t). Raise ValueError for another fraction.
    """
    if not 0 < fraction <= 1:
        raise ValueError(f"A fraction of the information is above 0 and at most 1; got {fraction:g}.")
    if spending == "pocock":
        return alpha * log(1 + (e - 1) * fraction)
    quantile = -float(special.ndtri(alpha / 4))
    return 4 * float(special.ndtr(-quantile / sqrt(fraction)))
