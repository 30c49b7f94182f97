"""Heartbeats: worker, in-depth and beat renew a key in Redis while their main loop runs."""

import contextlib

import redis

from health.alive import PREFIX, SERVICES, life_of
from lib.redis_client import redis_client

# a loop renews it every few seconds, but takes longer on a busy machine
ALIVE_S = 60


def beat(name: str) -> None:
    """Renew the heartbeat of `name`; ignores errors of Redis."""
    with contextlib.suppress(redis.RedisError), redis_client() as client:
        client.set(life_of(name), 1, ex=ALIVE_S)


def alive() -> set[str]:
    """The services with a heartbeat within ALIVE_S on any host; raises redis.RedisError."""
    with redis_client() as client:
        keys = [key.decode() for key in client.scan_iter(f"{PREFIX}*")]
    return {key.removeprefix(PREFIX).partition(":")[0] for key in keys}.intersection(SERVICES)
