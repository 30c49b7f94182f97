"""Gathers what an operator wants to know of a running platform; what cannot be asked just now is None."""

import contextlib
import json
import os
import platform
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

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
from ratings.models import Session, SessionState

T = TypeVar("T")

# a message this old means that nobody takes messages
STOPPED_S = 120.0
ACTIVE = timedelta(minutes=15)
# a drill runs once a week
DRILL_DUE = timedelta(days=8)


@dataclass(frozen=True)
class ServiceState:
    """A service: whether it works, and, under `eyelevel serve`, what the supervisor says of it."""

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
class Report:
    """All of it. `warnings` are codes: `service`, `queue`, `disk_soon`, `disk_reserve`, `backup`, `drill`."""

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
    """The state of all as of now."""
    database = _database_answers()
    alive = _asked(heartbeats.alive)
    waiting = _asked(queues.queues)
    facts: dict[str, Any] = {
        "last_analysis": None,
        "studies_behind": None,
        "backup": None,
        "drill": None,
        "disk": None,
        "sessions_active": None,
    }
    if database:
        facts = {
            "last_analysis": Result.objects.aggregate(at=Max("computed_at"))["at"],
            "studies_behind": len(list(studies_behind())),
            "backup": _run(last(Kind.BACKUP)),
            "drill": _run(last(Kind.DRILL)),
            "disk": disk(),
            "sessions_active": active_sessions(),
        }
    services = _services(database=database, alive=alive)
    return Report(
        at=timezone.now(),
        services=services,
        queues=waiting,
        versions=versions(),
        errors=_asked(error_groups),
        warnings=_warnings(services, waiting, facts["disk"], facts["backup"], facts["drill"]),
        **facts,
    )


def active_sessions() -> int:
    """Sessions that have not ended and moved within the last minutes."""
    now = timezone.now()
    running = Session.objects.but_previews().filter(state=SessionState.STARTED, lease_until__gt=now)
    return running.filter(trials__vote__received_at__gt=now - ACTIVE).distinct().count()


def versions() -> dict[str, str]:
    """Of the parts that an operator may be asked for."""
    found = {
        "eyelevel": version("eyelevel-platform"),
        "data": str(DATA_VERSION),
        "python": platform.python_version(),
        "django": django.get_version(),
    }
    with contextlib.suppress(DatabaseError), connection.cursor() as cursor:
        cursor.execute("SHOW server_version")
        found["postgresql"] = str(cursor.fetchone()[0])
    with contextlib.suppress(redis.RedisError), redis_client() as client:
        info = client.info("server")
        found["valkey"] = str(info.get("valkey_version") or info.get("redis_version"))
    return found


def _services(*, database: bool, alive: set[str] | None) -> list[ServiceState]:
    works = {
        "PostgreSQL": database,
        "Valkey": alive is not None,
        "web": True,
        **{name: alive is not None and name in alive for name in SERVICES},
    }
    supervised = _supervised()
    return [ServiceState(name=name, ok=ok, **supervised.get(name, {})) for name, ok in works.items()]


def _supervised() -> dict[str, dict[str, Any]]:
    """What the supervisor of `eyelevel serve` noted; nothing in containers."""
    path = os.environ.get("EYELEVEL_SERVICES_FILE")
    if not path:
        return {}
    try:
        noted = json.loads(Path(path).read_text())
    except (OSError, ValueError):
        return {}
    own = ("state", "since", "ends", "reason")
    return {each["name"]: {name: each[name] for name in own} for each in noted}


def _warnings(
    services: list[ServiceState],
    waiting: list[queues.Queue] | None,
    room: Disk | None,
    backup: Run | None,
    drill: Run | None,
) -> list[str]:
    found = [] if all(service.ok for service in services) else ["service"]
    if any((queue.oldest_s or 0) > STOPPED_S for queue in waiting or ()):
        found.append("queue")
    if room is not None and room.room != "ok":
        found.append(f"disk_{room.room}")
    if backup is not None and not backup.ok:
        found.append("backup")
    if drill is not None and (not drill.ok or timezone.now() - drill.at > DRILL_DUE):
        found.append("drill")
    return found


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
