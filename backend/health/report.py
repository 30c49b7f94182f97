"""Health report of a running platform for its operator; values that cannot be determined are None."""

import contextlib
import json
import os
import platform
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

import django
import redis
from django.db import DatabaseError, connection
from django.db.models import Max
from django.utils import timezone

from analysis.computing.staleness import studies_behind
from analysis.models import Result
from backups.models import BackupRun, Kind
from backups.runs import last
from health import heartbeats, queues
from health.alive import SERVICES
from health.disk import Disk, disk
from health.error_log import ErrorGroup, error_groups
from lib.data_version import DATA_VERSION
from lib.redis_client import redis_client
from ratings.models import Origin, Session, SessionState
from studies.models import FieldingState

T = TypeVar("T")

# a message of this age means that no worker takes messages
STOPPED_S = 120.0
ACTIVE = timedelta(minutes=15)
# a drill runs once a week
DRILL_DUE = timedelta(days=8)
# people's answers of this age must be in a backup
BACKUP_DUE = timedelta(days=7)


@dataclass(frozen=True)
class ServiceState:
    """State of a service: whether it works, and, under `eyelevel serve`, the supervisor's information about it."""

    name: str
    ok: bool
    state: str | None = None
    since: str | None = None
    ends: int | None = None
    reason: str | None = None


@dataclass(frozen=True)
class Run:
    """The last backup or drill."""

    at: datetime
    ok: bool
    bytes: int | None
    sentences: list[str]


@dataclass(frozen=True)
class Stored:
    """Facts from the database; empty if it does not answer."""

    last_analysis: datetime | None = None
    studies_behind: int | None = None
    backup: Run | None = None
    drill: Run | None = None
    disk: Disk | None = None
    sessions_active: int | None = None
    backup_is_due: bool = False


@dataclass(frozen=True)
class Report:
    """The state of the platform.

    `warnings` are codes: `service`, `queue`, `disk_soon`, `disk_reserve`, `backup`, `backup_due`, `drill`.
    """

    at: datetime
    services: list[ServiceState]
    queues: list[queues.Queue] | None
    last_analysis: datetime | None
    studies_behind: int | None
    backup: Run | None
    drill: Run | None
    disk: Disk | None
    versions: dict[str, str]
    errors: list[ErrorGroup] | None
    sessions_active: int | None
    warnings: list[str]


def report() -> Report:
    """Determine the current state of the platform."""
    database = _database_answers()
    alive = _asked(heartbeats.alive)
    waiting = _asked(queues.queues)
    stored = _stored() if database else Stored()
    services = _services(database=database, alive=alive)
    return Report(
        at=timezone.now(),
        services=services,
        queues=waiting,
        last_analysis=stored.last_analysis,
        studies_behind=stored.studies_behind,
        backup=stored.backup,
        drill=stored.drill,
        disk=stored.disk,
        versions=versions(),
        errors=_asked(error_groups),
        sessions_active=stored.sessions_active,
        warnings=_warnings(services, waiting, stored),
    )


def active_sessions() -> int:
    """Number of unfinished sessions with a vote within the last minutes."""
    now = timezone.now()
    running = Session.objects.but_previews().filter(state=SessionState.STARTED, lease_until__gt=now)
    return running.filter(trials__vote__received_at__gt=now - ACTIVE).distinct().count()


def versions() -> dict[str, str]:
    """Versions of the platform and its components, for reports of errors."""
    by_name = {
        "eyelevel": version("eyelevel-platform"),
        "data": str(DATA_VERSION),
        "python": platform.python_version(),
        "django": django.get_version(),
    }
    with contextlib.suppress(DatabaseError), connection.cursor() as cursor:
        cursor.execute("SHOW server_version")
        by_name["postgresql"] = str(cursor.fetchone()[0])
    with contextlib.suppress(redis.RedisError), redis_client() as client:
        info = client.info("server")
        by_name["valkey"] = str(info.get("valkey_version") or info.get("redis_version"))
    return by_name


def _services(*, database: bool, alive: set[str] | None) -> list[ServiceState]:
    works = {
        "PostgreSQL": database,
        "Valkey": alive is not None,
        "web": True,
        **{name: alive is not None and name in alive for name in SERVICES},
    }
    supervised = _supervised()
    return [replace(supervised.get(name, ServiceState(name, ok)), ok=ok) for name, ok in works.items()]


def _supervised() -> dict[str, ServiceState]:
    """The states that the supervisor of `eyelevel serve` has written; empty in containers."""
    path = os.environ.get("EYELEVEL_SERVICES_FILE")
    if not path:
        return {}
    try:
        noted = json.loads(Path(path).read_text())
        return {each["name"]: ServiceState(ok=False, **each) for each in noted}
    except (OSError, ValueError, TypeError, KeyError):
        return {}


def _warnings(services: list[ServiceState], waiting: list[queues.Queue] | None, stored: Stored) -> list[str]:
    codes = [] if all(service.ok for service in services) else ["service"]
    if any((queue.oldest_s or 0) > STOPPED_S for queue in waiting or ()):
        codes.append("queue")
    if stored.disk is not None and stored.disk.room != "ok":
        codes.append(f"disk_{stored.disk.room}")
    if stored.backup is not None and not stored.backup.ok:
        codes.append("backup")
    if stored.backup_is_due:
        codes.append("backup_due")
    if stored.drill is not None and (not stored.drill.ok or timezone.now() - stored.drill.at > DRILL_DUE):
        codes.append("drill")
    return codes


def _stored() -> Stored:
    return Stored(
        last_analysis=Result.objects.aggregate(at=Max("computed_at"))["at"],
        studies_behind=len(list(studies_behind())),
        backup=_run(last(Kind.BACKUP)),
        drill=_run(last(Kind.DRILL)),
        disk=disk(),
        sessions_active=active_sessions(),
        backup_is_due=_backup_is_due(timezone.now()),
    )


def _backup_is_due(now: datetime) -> bool:
    """Whether sessions older than a week belong to links that are not closed, and no backup is from the last week."""
    since = now - BACKUP_DUE
    if BackupRun.objects.filter(kind=Kind.BACKUP, ok=True, begun_at__gt=since).exists():
        return False
    begun = Session.objects.filter(origin=Origin.PERSON, started_at__lt=since)
    return begun.exclude(fielding__state=FieldingState.CLOSED).exists()


def _run(row: BackupRun | None) -> Run | None:
    return None if row is None else Run(at=row.ended_at, ok=row.ok, bytes=row.bytes, sentences=row.sentences)


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def _asked(ask: Callable[[], T]) -> T | None:
    try:
        return ask()
    except redis.RedisError:
        return None
