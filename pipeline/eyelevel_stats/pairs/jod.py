"""Differences between stacks in just-objectionable differences (JOD).

One JOD is the difference at which 75 % of the decided answers name the better one (M. Perez-Ortiz and R. K. Mantiuk, A
practical guide and software for analysing pairwise comparison experiments, arXiv:1712.03686, 2017). There the scale is
Thurstone's; here it is the log worth of Davidson's model, whose odds of 3 to 1 are a difference of ln 3. Both scales
agree where neighbours differ by 0 or 1 JOD, and elsewhere only as far as both models fit.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from math import log, sqrt

from scipy import special

from eyelevel_stats.intervals import CONFIDENCE
from eyelevel_stats.pairs.components import Component, log_worths
from eyelevel_stats.pairs.likelihood import Fit, Floats

# the log odds of 75 % against 25 %
ONE = log(3)

COLUMNS = {
    "network": "network of the clips",
    "component": "number of the group of connected stacks within the network, from 1",
    "stack_a": "the stack of the pair whose name sorts first",
    "stack_b": "the other one",
    "n": "answers about this very pair; 0 where other pairs connect both stacks",
    "participants": "people who answered about the component",
    "jod": "ln(worth of a / worth of b) / ln 3, in just-objectionable differences; above 0, a is chosen more often; at "
    "1, by 75 % of the decided answers",
    "ci_low": "lower end of the 95 % interval of jod: Student's t, clustered by participant (sandwich); empty unless "
    "there are more participants than parameters",
    "ci_high": "upper end of the same interval",
    "why": "why there is no estimate; empty where there is one",
}


@dataclass(frozen=True)
class JodRow:
    """The difference between two stacks of one component; COLUMNS describes the fields."""

    network: str
    component: int
    stack_a: str
    stack_b: str
    n: int
    participants: int
    jod: float | None
    ci_low: float | None
    ci_high: float | None
    why: str | None


def jod_rows(found: Iterable[Component]) -> tuple[JodRow, ...]:
    """A row per component and pair of its stacks, whether or not the pair was asked."""
    return tuple(row for one in found for row in _rows(one))


def _rows(one: Component) -> Iterator[JodRow]:
    value = spread = None
    if isinstance(one.fit, Fit):
        value, _ = log_worths(len(one.stacks), one.fit, one.fit.covariance)
        if one.fit.clustered is not None:
            spread = log_worths(len(one.stacks), one.fit, one.fit.clustered)[1]
    for first, second in combinations(range(len(one.stacks)), 2):
        yield _row(one, first, second, value, spread)


def _row(one: Component, first: int, second: int, value: Floats | None, spread: Floats | None) -> JodRow:
    a, b = one.stacks[first], one.stacks[second]
    jod = low = high = None
    if isinstance(one.fit, Fit) and value is not None:
        jod = float(value[first] - value[second]) / ONE
        if spread is not None:
            variance = spread[first, first] + spread[second, second] - 2 * spread[first, second]
            quantile = float(special.stdtrit(one.fit.participants - 1, (1 + CONFIDENCE) / 2))
            # rounding may carry it below 0
            half = quantile * sqrt(max(0.0, variance)) / ONE
            low, high = jod - half, jod + half
    return JodRow(
        network=one.network,
        component=one.number,
        stack_a=a,
        stack_b=b,
        n=one.asked[frozenset((a, b))],
        participants=one.participants,
        jod=jod,
        ci_low=low,
        ci_high=high,
        why=one.why,
    )
