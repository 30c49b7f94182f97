"""How much the Speed Index of one setting varies, and how much of that goes with the processor time of the run.

A page that is replayed to one stack does about the same work in each run. Where its processor time varies all the same,
the processors probably did that work faster or slower, which idle time does not show, and steal only in part: other
guests of a virtual machine's host, or a changing clock rate. Where packets are lost, the work differs as well.

No gain is adjusted by it, because a stack can use more processor time than another by itself.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt
from statistics import fmean

from eyelevel.compare.arms import Setting
from eyelevel.compare.model import Load

METRIC = "si"
# with fewer runs of a setting, a line fits what is chance
MIN_RUNS = 4
# a variance of logarithms this small is rounding
ROUNDING = 1e-9


@dataclass(frozen=True)
class SpreadRow:
    """Settled takes of one stack on one network, each about the mean of its site; sites weigh by their takes.

    `metric`, `processor_time` and `left` are standard deviations of logarithms, so about coefficients of variation: of
    the Speed Index, of the run's processor time until the page had nearly settled, and of the Speed Index about the
    line that fits it best on processor time (both in logarithms, one slope for all sites). `left` has a degree of
    freedom less, so that it is larger than `metric` where the two are unrelated. `correlation` is Pearson's; None where
    one of the two does not vary, and then `left` is None as well.
    """

    network: str
    stack: str
    sites: int
    takes: int
    metric: float
    processor_time: float
    correlation: float | None
    left: float | None


def spreads(settings: Mapping[Setting, Sequence[Load]]) -> list[SpreadRow]:
    """A row per network and stack with a site of which enough settled takes have both values, in their order."""
    found: dict[tuple[str, str], list[list[tuple[float, float]]]] = {}
    for (_, network, stack), loads in settings.items():
        points = list(_points(loads))
        if len(points) >= MIN_RUNS:
            found.setdefault((network, stack), []).append(points)
    return [_row(network, stack, sites) for (network, stack), sites in found.items()]


def _points(loads: Iterable[Load]) -> Iterable[tuple[float, float]]:
    """Logarithms of processor time and metric of the settled takes that have both."""
    for load in loads:
        used, ms = load.processor_ms, load.metrics.get(METRIC)
        if load.settled and used and ms:
            yield log(used), log(ms)


def _row(network: str, stack: str, sites: Sequence[Sequence[tuple[float, float]]]) -> SpreadRow:
    centred = [point for points in sites for point in _centred(points)]
    freedom = len(centred) - len(sites)
    used = sum(x * x for x, _ in centred) / freedom
    metric = sum(y * y for _, y in centred) / freedom
    both = sum(x * y for x, y in centred) / freedom
    correlation = both / sqrt(used * metric) if min(used, metric) > ROUNDING else None
    return SpreadRow(
        network,
        stack,
        sites=len(sites),
        takes=len(centred),
        metric=sqrt(metric),
        processor_time=sqrt(used),
        correlation=correlation,
        left=None if correlation is None else sqrt(max(0.0, metric * (1 - correlation**2)) * freedom / (freedom - 1)),
    )


def _centred(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    means = [fmean(column) for column in zip(*points, strict=True)]
    return [(x - means[0], y - means[1]) for x, y in points]
