"""Deletes what is older than `lib.kept` says.

A kind with `days` is deleted by the sweep that its app provides when it is ready, since this module knows no models.
"""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import QuerySet

from lib.kept import KINDS, Kind

log = logging.getLogger(__name__)
# the number of things that are due; deletes them if `delete`
Sweep = Callable[[datetime, bool], int]
_sweeps: dict[str, Sweep] = {}


@dataclass(frozen=True)
class Swept:
    """What was due of one kind; None where that could not be found out, which the log explains."""

    kind: Kind
    days: int
    count: int | None


def kept(key: str) -> timedelta:
    """How long data of this kind stay, by the operator's setting."""
    return timedelta(days=_days(key))


def provide(key: str, sweep: Sweep) -> None:
    """Called once per kind, when its app is ready."""
    _sweeps[key] = sweep


def rows(due: Callable[[datetime], QuerySet[Any]]) -> Sweep:
    """The sweep that deletes the rows of a query."""

    def sweep(now: datetime, delete: bool) -> int:
        found = due(now)
        return found.delete()[0] if delete else found.count()

    return sweep


def sweep_all(now: datetime, *, delete: bool) -> Iterator[Swept]:
    """Each kind with a sweep, in the order of the table; one that fails does not keep the others."""
    for kind in KINDS:
        if kind.days is None:
            continue
        try:
            count: int | None = _sweeps[kind.key](now, delete)
        except Exception:
            log.exception("The retention of %s failed; it is tried again.", kind.key)
            count = None
        yield Swept(kind, _days(kind.key), count)


def _days(key: str) -> int:
    days: int = settings.RETENTION_DAYS[key]
    return days
