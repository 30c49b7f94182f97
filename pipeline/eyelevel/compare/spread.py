"""How much the Speed Index of one setting varies, and how much of that follows the processor time of the run.

A page that is replayed to one stack does the same work in each run. Where its processor time varies all the same, the
processors do that work faster or slower, which neither idle time nor steal shows: other guests of a virtual machine's
host, or a changing clock rate. What of the Speed Index follows it is the machine's, and no longer wait or other network
lowers it. This only says so. It adjusts no gain, as a stack can use more processor time than another by itself.
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
# a spread this small of logarithms is rounding
ROUNDING = 1e-9


@dataclass(frozen=True)
class SpreadRow:
    """Takes of one stack on one network, each about the mean of its site.

    Coefficients of variation are standard deviations of logarithms, fractions: of the Speed Index, of the run's
    processor time from navigation start until the page had nearly settled, and of what is left of the Speed Index after
    the line that fits it best on processor time (both in logarithms, one slope for all sites). `correlation` is
    Pearson's; None where one of the two does not vary, and then `left` is None as well.
    """

    network: str
    stack: str
    sites: int
    takes: int
    metric: float
    processor_time: float
    correlation: float | None
    left: float | None

    @property
    def followed(self) -> float | None:
        """The share of the Speed Index's variance that follows processor time, 0 to 1."""
        return None if self.correlation is None else self.correlation**2


def spreads(settings: Mapping[Setting, Sequence[Load]]) -> list[SpreadRow]:
    """A row per network and stack with a site of which enough takes know both, in their order."""
    found: dict[tuple[str, str], list[list[tuple[float, float]]]] = {}
    for (_, network, stack), loads in settings.items():
        points = list(_points(loads))
        if len(points) >= MIN_RUNS:
            found.setdefault((network, stack), []).append(points)
    return [_row(network, stack, sites) for (network, stack), sites in found.items()]


def _points(loads: Iterable[Load]) -> Iterable[tuple[float, float]]:
    """Logarithms of processor time and metric of the settled takes that know both."""
    for load in loads:
        used, ms = load.processor_ms, load.metrics.get(METRIC)
        if load.settled and used and ms:
            yield log(used), log(ms)


def _row(network: str, stack: str, sites: Sequence[Sequence[tuple[float, float]]]) -> SpreadRow:
    centred = [point for points in sites for point in _centred(points)]
    freedom = len(centred) - len(sites)
    used, metric, both = (
        sum(x * y for x, y in ((point[one], point[other]) for point in centred)) / freedom
        for one, other in ((0, 0), (1, 1), (0, 1))
    )
    vary = min(used, metric) > ROUNDING
    correlation = both / sqrt(used * metric) if vary else None
    return SpreadRow(
        network,
        stack,
        sites=len(sites),
        takes=len(centred),
        metric=sqrt(metric),
        processor_time=sqrt(used),
        correlation=correlation,
        left=None if correlation is None else sqrt(metric * (1 - correlation**2) * freedom / (freedom - 1)),
    )


def _centred(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    means = [fmean(column) for column in zip(*points, strict=True)]
    return [(x - means[0], y - means[1]) for x, y in points]
