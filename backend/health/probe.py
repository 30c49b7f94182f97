"""Endpoint GET /api/health: whether database, queue and both workers answer."""

import redis
from celery import current_app
from django.db import DatabaseError, connection
from django.http import HttpRequest
from kombu.exceptions import OperationalError
from ninja import Router, Schema, Status

from lib.redis_client import redis_client

router = Router()
PING_S = 0.7
# node names with which workers are started (embedded.platform, entrypoint)
WORKERS = {"worker", "in-depth"}


class Health(Schema):
    web: bool
    database: bool
    redis: bool
    worker: bool
    # computes tables in depth
    in_depth: bool


@router.get("/health", response={200: Health, 503: Health}, auth=None)
def health(request: HttpRequest) -> Status[Health]:
    queue = _redis_answers()
    workers = _workers() if queue else set()
    state = Health(
        web=True,
        database=_database_answers(),
        redis=queue,
        worker="worker" in workers,
        in_depth="in-depth" in workers,
    )
    return Status(200 if all(state.dict().values()) else 503, state)


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def _redis_answers() -> bool:
    try:
        with redis_client() as client:
            return bool(client.ping())
    except redis.RedisError:
        return False


def _workers() -> set[str]:
    """The names of the kinds of workers that answer."""
    try:
        # if there is one of each, the second answer ends the wait
        answered = _answering(limit=len(WORKERS))
        return answered if answered == WORKERS else answered | _answering(limit=None)
    except (OperationalError, redis.RedisError, OSError):
        return set()


def _answering(limit: int | None) -> set[str]:
    replies = current_app.control.ping(timeout=PING_S, limit=limit)
    # worker@host
    return {name.partition("@")[0] for reply in replies for name in reply}
