"""A client of Redis or Valkey with short timeouts, for short-lived facts such as heartbeats."""

import redis
from django.conf import settings

# callers must not wait for a server that does not answer
TIMEOUT_S = 1.0


def redis_client() -> "redis.Redis":
    """Create a client; close it, or use it as a context manager. Its calls raise redis.RedisError."""
    return redis.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=TIMEOUT_S, socket_timeout=TIMEOUT_S)
