"""GET /api/health: whether database, queue and worker answer."""

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest
from kombu.exceptions import OperationalError
from ninja import Router, Schema, Status

from config.celery import app

router = Router()
PING_S = 0.7


class Health(Schema):
    web: bool
    database: bool
    redis: bool
    worker: bool


@router.get("/health", response={200: Health, 503: Health}, auth=None)
def health(request: HttpRequest) -> Status[Health]:
    queue = _redis_answers()
    state = Health(web=True, database=_database_answers(), redis=queue, worker=queue and _worker_answers())
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
        with redis.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=1, socket_timeout=1) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False


def _worker_answers() -> bool:
    try:
        return bool(app.control.ping(timeout=PING_S, limit=1))
    except (OperationalError, redis.RedisError, OSError):
        return False
