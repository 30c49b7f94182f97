"""Finds stamps: dates and times in a query that differ from the recorded ones, though two loads draw the same. Pure.

A script may take a stamp from an answer that was recorded at another time. Loads then agree, and the recording differs.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from eyelevel.volatile.urls import Parameters, name_of, named, without

# a date with or without a time (20180220, 20180220120000), the versions of files begin with a v
VERSION = re.compile(r"v?(\d+(?:\.\d+)?)", re.IGNORECASE)
DATES = {8: "%Y%m%d", 10: "%Y%m%d%H", 12: "%Y%m%d%H%M", 14: "%Y%m%d%H%M%S"}
YEARS = range(1995, 2100)
# Unix time by its digits: seconds, milliseconds, microseconds; from 2001 on it has ten digits of a second
UNIX_TICKS = {10: 1, 13: 1_000, 16: 1_000_000}
LAST_UNIX_S = datetime(YEARS.stop, 1, 1, tzinfo=UTC).timestamp()


def is_stamp(value: str) -> bool:
    """Whether a value is a date or a time, and hardly anything else."""
    found = VERSION.fullmatch(value)
    if found is None:
        return False
    digits = found[1].partition(".")[0]
    ticks = UNIX_TICKS.get(len(digits))
    return _is_date(digits) or (ticks is not None and 1e9 <= int(digits) / ticks < LAST_UNIX_S)


def _is_date(digits: str) -> bool:
    shape = DATES.get(len(digits))
    if shape is None:
        return False
    try:
        return datetime.strptime(digits, shape).year in YEARS  # noqa: DTZ007 - only whether it is one
    except ValueError:
        return False


def stamps(asked: Iterable[Parameters], recorded: Sequence[Parameters]) -> dict[str, tuple[str, str]]:
    """Parameters of one place in which a request and a recorded one differ, and which are stamps in both.

    With each a value that was requested and one that was recorded; empty where that has none. What has neither a name
    nor is a number, as in `/a.css?v20180220`, is its own name. No other parameter of the request differs from the
    recorded ones.
    """
    found: dict[str, tuple[str, str]] = {}
    for wanted in sorted(set(asked).difference(recorded)):
        for known in sorted(set(recorded)):
            both = _values(wanted), _values(known)
            names = {name for name in both[0].keys() | both[1].keys() if both[0].get(name) != both[1].get(name)}
            values = [own[name] for own in both for name in names if name in own]
            if all(map(is_stamp, values)) and without(wanted, names) == without(known, names):
                found |= {name: (both[0].get(name, ""), both[1].get(name, "")) for name in names}
    return found


def _values(parameters: Parameters) -> dict[str, str]:
    """Of the last of each name; what has no name is its own."""
    return {name_of(piece): piece for piece in parameters} | dict(named(parameters))
