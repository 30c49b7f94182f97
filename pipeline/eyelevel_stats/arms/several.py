"""Correction of p-values for multiple tests. A test without a p-value (None) stays None and does not count."""

from collections.abc import Sequence

import numpy as np
from scipy import stats


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Corrects by S. Holm, A simple sequentially rejective multiple test procedure, Scand. J. Statist. 6 (1979).

    Controls the family-wise error rate over all given tests.
    """
    known = [p for p in p_values if p is not None]
    order = np.argsort(known, kind="stable")
    adjusted = np.empty(len(known))
    largest = 0.0
    for rank, place in enumerate(order):
        largest = max(largest, min(1.0, (len(known) - rank) * known[place]))
        adjusted[place] = largest
    return _spread_out(p_values, adjusted.tolist())


def benjamini_hochberg(p_values: Sequence[float | None]) -> list[float | None]:
    """Corrects by Y. Benjamini and Y. Hochberg, Controlling the false discovery rate, J. R. Statist. Soc. B 57 (1995).

    Controls the expected share of false findings among the findings.
    """
    known = [p for p in p_values if p is not None]
    adjusted = stats.false_discovery_control(known, method="bh").tolist() if known else []
    return _spread_out(p_values, adjusted)


def _spread_out(p_values: Sequence[float | None], adjusted: Sequence[float]) -> list[float | None]:
    rest = iter(adjusted)
    return [None if p is None else float(next(rest)) for p in p_values]
