"""Forecast of the time at which a quota is full, at the recent rate of sessions."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import exp, sqrt

# the rate is computed over this window; with fewer sessions than LEAST there is no forecast
WINDOW, LEAST = timedelta(days=3), 3
# of a normal distribution, for 95 %
Z = 1.96
# no forecast reaches further
HORIZON = timedelta(days=365)


@dataclass(frozen=True)
class Forecast:
    """Used sessions per day, and the expected time at which the quota is full, with a 95 % interval.

    The interval includes the uncertainty of the rate and of the arrival of the missing sessions. `latest` is None if
    it is more than a year away.
    """

    per_day: float
    expected: datetime
    earliest: datetime
    latest: datetime | None


def forecast(counted: Sequence[datetime], *, wanted: int, since: datetime, now: datetime) -> Forecast | None:
    """Compute a forecast; `counted` are the end times of used sessions, `since` is when the link was opened.

    None if the quota is full, if fewer than LEAST sessions ended recently, or if it would take more than a year.
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
