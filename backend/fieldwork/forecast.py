"""When a quota will be full, if sessions go on to come as they did lately."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import sqrt

# the rate is that of the last days; with fewer sessions than this, nothing is said
WINDOW, LEAST = timedelta(days=3), 3
# half of the 95 % interval of the square root of a Poisson count (M. S. Bartlett, Supplement to the Journal of the
# Royal Statistical Society 3, 1936)
HALF = 0.98
# no forecast reaches further
HORIZON = timedelta(days=365)


@dataclass(frozen=True)
class Forecast:
    """Sessions per day that count, and when the quota is full: most likely, and between the ends of a 95 % interval.

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
    expected, earliest, latest = (
        _at(missing * days / count, now)
        for count in (float(lately), (sqrt(lately) + HALF) ** 2, (sqrt(lately) - HALF) ** 2)
    )
    if expected is None or earliest is None:
        return None
    return Forecast(lately / days, expected, earliest, latest)


def _at(days: float, now: datetime) -> datetime | None:
    return None if days > HORIZON / timedelta(days=1) else now + timedelta(days=days)
