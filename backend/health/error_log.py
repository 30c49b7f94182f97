"""Groups errors of the last day by message and location, in Redis: counts and constant texts, never users' input."""

import hashlib
import json
import logging
import re
import time
import traceback
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import redis

from lib.redis_client import redis_client

HOUR_S = 3600
HOURS = 24
KEY = "eyelevel:errors:"
# maximum number of groups per hour, so that an error with a changing message cannot fill the memory
MOST_GROUPS = 200
PLACE = re.compile(r'File "([^"]+)", line (\d+)')
BACKEND = f"{Path(__file__).resolve().parents[1]}/"


@dataclass(frozen=True)
class ErrorGroup:
    """Errors with the same message and location. `text` is the message without its values."""

    logger: str
    text: str
    error: str | None
    where: str | None
    times: int
    last_at: datetime


class ErrorLog(logging.Handler):
    """A logging handler for ERROR and above; it never raises, and drops an error rather than wait."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            _add(record)
        except (redis.RedisError, OSError, ValueError):
            return


def error_groups() -> list[ErrorGroup]:
    """Groups of the last day, newest first; raises redis.RedisError."""
    now = int(time.time()) // HOUR_S
    groups: dict[str, dict[str, object]] = {}
    with redis_client() as client:
        for hour in range(now - HOURS + 1, now + 1):
            for field, value in client.hgetall(f"{KEY}{hour}").items():
                name, _, kind = field.decode().partition(":")
                group = groups.setdefault(name, {"times": 0})
                if kind == "times":
                    group["times"] = int(str(group["times"])) + int(value)
                else:
                    group |= json.loads(value)
    complete = [_group(group) for group in groups.values() if "at" in group]
    return sorted(complete, key=lambda group: group.last_at, reverse=True)


def _add(record: logging.LogRecord) -> None:
    error, where = _origin(record)
    # not `getMessage`, because its values may be a participant's input
    text = record.msg if isinstance(record.msg, str) else type(record.msg).__name__
    if record.name == "django.request":
        # its values are a reason and a route (`config.logs`)
        text = record.getMessage()
    facts = {"logger": record.name, "text": text[:300], "error": error, "where": where}
    name = hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:16]
    key = f"{KEY}{int(record.created) // HOUR_S}"
    with redis_client() as client:
        if client.hlen(key) >= 2 * MOST_GROUPS and not client.hexists(key, f"{name}:times"):
            return
        client.hincrby(key, f"{name}:times", 1)
        client.hset(key, f"{name}:facts", json.dumps(facts | {"at": record.created}))
        client.expire(key, (HOURS + 1) * HOUR_S)


def _origin(record: logging.LogRecord) -> tuple[str | None, str | None]:
    """The error's class, and its last location in the backend's code."""
    named = getattr(record, "error", None)
    if named is not None:
        # by `lib.failures`
        return str(named), _last_place(str(getattr(record, "trace", "")))
    if not record.exc_info or record.exc_info[0] is None:
        return None, _ours(record.pathname, record.lineno)
    places = traceback.extract_tb(record.exc_info[2])
    ours = [_ours(place.filename, place.lineno or 0) for place in places if place.filename.startswith(BACKEND)]
    return record.exc_info[0].__name__, ours[-1] if ours else None


def _last_place(trace: str) -> str | None:
    places = [(path, line) for path, line in PLACE.findall(trace) if path.startswith(BACKEND)]
    return _ours(places[-1][0], int(places[-1][1])) if places else None


def _ours(path: str, line: int) -> str:
    # for a library, the path from the name of its package on
    return f"{path.removeprefix(BACKEND).rpartition('site-packages/')[2]}:{line}"


def _group(group: dict[str, object]) -> ErrorGroup:
    return ErrorGroup(
        logger=str(group["logger"]),
        text=str(group["text"]),
        error=None if group["error"] is None else str(group["error"]),
        where=None if group["where"] is None else str(group["where"]),
        times=int(str(group["times"])),
        last_at=datetime.fromtimestamp(float(str(group["at"])), UTC),
    )
