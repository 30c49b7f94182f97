"""When a quota will be full, if sessions go on to come as they did lately."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import exp, sqrt

# the rate is that of the last days; with fewer sessions than this, nothing is said
WINDOW, LEAST = timedelta(days=3), 3
# of a normal distribution, for 95 %
Z = 1.96
# no forecast reaches further
HORIZON = timedelta(days=365)


@dataclass(frozen=True)
class Forecast:
    """Sessions per day that count, and when the quota is full: most likely, and between the ends of a 95 % interval.

    The interval counts both chances: of the sessions that the rate is known by, and of those that are missing.
    `latest` is None where it is more than a year away.
    """

    per_day: float
    expected: datetime
    earliest: datetime
    latest: datetime | None


def forecast(counted: Sequence[datetime], *, wanted: int, since: datetime, now: datetime) -> Forecast | None:
    """`counted` are the ends of the sessions that count; `since`: when the link was opened.

    None where the quota is full, where fewer than LEAST sessions ended lately, or where it would take more than a year.
    """
    missing = wanted - len(counted)
    begin = max(since, now - WINDOW)
    lately = sum(begin <= moment <= now for moment in counted)
    days = (now - begin) / timedelta(days=1)
    if missing <= 0 or lately < LEAST or days <= 0:
        return None
    # of two Poisson processes of one rate: the logarithm of the time has about this standard deviation (delta method)
    spread = exp(Z * sqrt(1 / lately + 1 / missing))
    likely = missing * days / lately
    expected, earliest, latest = (_at(time, now) for time in (likely, likely / spread, likely * spread))
    if expected is None or earliest is None:
        return None
    return Forecast(lately / days, expected, earliest, latest)


def _at(days: float, now: datetime) -> datetime | None:
    return None if days > HORIZON / timedelta(days=1) else now + timedelta(days=days)
