"""Finds stamps: dates and times in a query that differ from the recorded ones, but not between two loads. Pure.

A script may read a stamp from an answer that was recorded at another time. Then the loads agree, but the recording
differs.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from eyelevel.volatile.urls import Parameters, name_of, named, without

# a date with or without a time (20180220, 20180220120000); versions of files begin with a v
VERSION = re.compile(r"v?(\d+(?:\.\d+)?)", re.IGNORECASE)
DATES = {8: "%Y%m%d", 10: "%Y%m%d%H", 12: "%Y%m%d%H%M", 14: "%Y%m%d%H%M%S"}
YEARS = range(1995, 2100)
# ticks per second of Unix time, by its number of digits: seconds (ten digits since 2001), milliseconds, microseconds
UNIX_TICKS = {10: 1, 13: 1_000, 16: 1_000_000}
LAST_UNIX_S = datetime(YEARS.stop, 1, 1, tzinfo=UTC).timestamp()


def is_stamp(value: str) -> bool:
    """Returns whether a value is probably a date or a time."""
    match = VERSION.fullmatch(value)
    if match is None:
        return False
    digits = match[1].partition(".")[0]
    ticks = UNIX_TICKS.get(len(digits))
    return _is_date(digits) or (ticks is not None and 1e9 <= int(digits) / ticks < LAST_UNIX_S)


def _is_date(digits: str) -> bool:
    shape = DATES.get(len(digits))
    if shape is None:
        return False
    try:
        return datetime.strptime(digits, shape).year in YEARS  # noqa: DTZ007 - only checked
    except ValueError:
        return False


def stamps(asked: Iterable[Parameters], recorded: Sequence[Parameters]) -> dict[str, tuple[str, str]]:
    """Returns parameters of a place that differ between a request and a recorded one, and are stamps in both.

    Each has a requested and a recorded value; an empty string if one lacks it. A piece without a name that is not a
    number, as in `/a.css?v20180220`, is its own name. No other parameter of the request differs from the recorded one.
    """
    differing: dict[str, tuple[str, str]] = {}
    for wanted in sorted(set(asked).difference(recorded)):
        for known in sorted(set(recorded)):
            both = _values(wanted), _values(known)
            names = {name for name in both[0].keys() | both[1].keys() if both[0].get(name) != both[1].get(name)}
            values = [side[name] for side in both for name in names if name in side]
            if all(map(is_stamp, values)) and without(wanted, names) == without(known, names):
                differing |= {name: (both[0].get(name, ""), both[1].get(name, "")) for name in names}
    return differing


def _values(parameters: Parameters) -> dict[str, str]:
    """The last value of each name; a piece without a name is its own name."""
    return {name_of(piece): piece for piece in parameters} | dict(named(parameters))
