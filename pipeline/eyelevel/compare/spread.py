"""Variation of the Speed Index within a setting, and the part of it that processor time explains.

A page that is replayed to one stack does about the same work in each run. If its processor time varies, the processors
probably did this work faster or slower, because of other guests on the host of a virtual machine or a changing clock
rate. Idle time does not show this, and steal time shows only a part. If packets are lost, the work differs as well.

Gains are not adjusted for it, because one stack can use more processor time than another.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt
from statistics import fmean

from eyelevel.compare.arms import Setting
from eyelevel.compare.columns import NETWORK
from eyelevel.compare.model import Load
from eyelevel_core.tables import Table, column

METRIC = "si"
# with fewer runs of a setting, a line fits noise
MIN_RUNS = 4
# a variance of logarithms this small is rounding
ROUNDING = 1e-9


@dataclass(frozen=True)
class SpreadRow:
    """Settled takes of one stack on one network, centred by site; sites are weighted by their takes.

    Standard deviations of logarithms are about coefficients of variation. The line has one slope for all sites.
    `sd_log_si_left` has one degree of freedom less, so it is larger than `sd_log_si` if the two are unrelated.
    `correlation` and `sd_log_si_left` are None if one of the two does not vary.
    """

    network: str = column(NETWORK)
    stack: str = column("protocol stack")
    sites: int = column("number of sites with at least 4 settled takes that have both values")
    takes: int = column("number of these takes")
    sd_log_si: float = column(
        "standard deviation of log SI within sites, weighted by the takes of each site",
        head="SI varies by",
        shown="share",
    )
    sd_log_processor_time: float = column(
        "standard deviation of the log of the run's processor time (from navigation start until the page had "
        "nearly settled) within sites, weighted by the takes of each site",
        head="processor time varies by",
        shown="share",
    )
    correlation: float | None = column("Pearson's correlation of log SI and log processor time within sites")
    sd_log_si_left: float | None = column(
        "residual standard deviation of log SI after a linear fit on log processor time within sites",
        head="left of SI",
        shown="share",
    )


SPREAD = Table("spread", "How much the Speed Index varies from run to run", "", SpreadRow)


def spreads(settings: Mapping[Setting, Sequence[Load]]) -> list[SpreadRow]:
    """Returns a row per network and stack with a site with enough settled takes that have both values."""
    points_of: dict[tuple[str, str], list[list[tuple[float, float]]]] = {}
    for (_, network, stack), loads in settings.items():
        points = list(_points(loads))
        if len(points) >= MIN_RUNS:
            points_of.setdefault((network, stack), []).append(points)
    return [_row(network, stack, sites) for (network, stack), sites in points_of.items()]


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
        sd_log_si=sqrt(metric),
        sd_log_processor_time=sqrt(used),
        correlation=correlation,
        sd_log_si_left=None
        if correlation is None
        else sqrt(max(0.0, metric * (1 - correlation**2)) * freedom / (freedom - 1)),
    )


def _centred(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    means = [fmean(column) for column in zip(*points, strict=True)]
    return [(x - means[0], y - means[1]) for x, y in points]
