"""Retention: deletes data that are older than `lib.kept` permits.

A kind with `days` is deleted by a sweep that its app registers when it is ready, because this module knows no models.
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
# counts the things that are due, and deletes them if `delete`
Sweep = Callable[[datetime, bool], int]
_sweeps: dict[str, Sweep] = {}


@dataclass(frozen=True)
class Swept:
    """Number of things of one kind that were due; None if counting failed, for which the log has the reason."""

    kind: Kind
    days: int
    count: int | None


def period_of(key: str) -> timedelta:
    """Retention of this kind of data, by the operator's setting."""
    return timedelta(days=_days(key))


def provide(key: str, sweep: Sweep) -> None:
    """Register the sweep of a kind; call it once, when the app is ready."""
    _sweeps[key] = sweep


def rows(due: Callable[[datetime], QuerySet[Any]]) -> Sweep:
    """Create a sweep that deletes the rows of a query."""

    def sweep(now: datetime, delete: bool) -> int:
        due_rows = due(now)
        return due_rows.delete()[0] if delete else due_rows.count()

    return sweep


def sweep_all(now: datetime, *, delete: bool) -> Iterator[Swept]:
    """Run the sweep of each kind, in the order of the table; a failure does not prevent the others."""
    for kind in KINDS:
        if kind.days is None:
            continue
        try:
            count: int | None = _sweeps[kind.key](now, delete)
        except Exception:
            log.exception("The retention of %s failed, and will be retried.", kind.key)
            count = None
        yield Swept(kind, _days(kind.key), count)


def _days(key: str) -> int:
    days: int = settings.RETENTION_DAYS[key]
    return days
