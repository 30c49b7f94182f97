"""Differences between stacks in just-objectionable differences (JOD).

One JOD is the difference at which 75 % of the decided answers name the better one (M. Perez-Ortiz and R. K. Mantiuk, A
practical guide and software for analysing pairwise comparison experiments, arXiv:1712.03686, 2017). There the scale is
Thurstone's; here it is the log worth of Davidson's model, whose odds of 3 to 1 are a difference of ln 3. Both scales
agree where neighbours differ by 0 or 1 JOD, and elsewhere only as far as both models fit.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations
from math import log, sqrt

from scipy import special

from eyelevel_stats.intervals import CONFIDENCE
from eyelevel_stats.pairs.components import Component, log_worths
from eyelevel_stats.pairs.likelihood import Fit, Floats
from eyelevel_stats.rows.comparisons import JodRow

# the log odds of 75 % against 25 %
ONE = log(3)


def jod_rows(components: Iterable[Component]) -> tuple[JodRow, ...]:
    """A row per component and pair of its stacks, whether or not the pair was asked."""
    return tuple(row for component in components for row in _rows(component))


def _rows(component: Component) -> Iterator[JodRow]:
    value = spread = None
    if isinstance(component.fit, Fit):
        value, _ = log_worths(len(component.stacks), component.fit, component.fit.covariance)
        if component.fit.clustered is not None:
            spread = log_worths(len(component.stacks), component.fit, component.fit.clustered)[1]
    for first, second in combinations(range(len(component.stacks)), 2):
        yield _row(component, first, second, value, spread)


def _row(component: Component, first: int, second: int, value: Floats | None, spread: Floats | None) -> JodRow:
    a, b = component.stacks[first], component.stacks[second]
    jod = low = high = None
    if isinstance(component.fit, Fit) and value is not None:
        jod = float(value[first] - value[second]) / ONE
        if spread is not None:
            variance = spread[first, first] + spread[second, second] - 2 * spread[first, second]
            quantile = float(special.stdtrit(component.fit.participants - 1, (1 + CONFIDENCE) / 2))
            # rounding may carry it below 0
            half = quantile * sqrt(max(0.0, variance)) / ONE
            low, high = jod - half, jod + half
    return JodRow(
        network=component.network,
        component=component.number,
        stack_a=a,
        stack_b=b,
        n=component.asked[frozenset((a, b))],
        participants=component.participants,
        jod=jod,
        ci_low=low,
        ci_high=high,
        why=component.why,
    )
