"""Length and age of the task queues."""

import json
import time
from dataclasses import dataclass

from lib.redis_client import redis_client

QUEUES = ("celery", "in-depth")
# a header of each message: when it was sent, in seconds since 1970
SENT_AT = "eyelevel_sent_at"


@dataclass(frozen=True)
class Queue:
    """A queue; `oldest_s` is the age of its oldest message, None if it is empty."""

    name: str
    length: int
    oldest_s: float | None


def queues() -> list[Queue]:
    """The current state of each queue; raises redis.RedisError."""
    states = []
    with redis_client() as client:
        for name in QUEUES:
            # a worker takes the last message of the list next
            length, oldest = client.llen(name), client.lindex(name, -1)
            states.append(Queue(name, int(length), _age_s(oldest)))
    return states


def _age_s(message: bytes | None) -> float | None:
    if message is None:
        return None
    sent_at = json.loads(message).get("headers", {}).get(SENT_AT)
    return None if sent_at is None else max(0.0, time.time() - float(sent_at))
