"""A connection to Redis or Valkey, for facts that are worth little a moment later; it fails fast."""

import redis
from django.conf import settings

# callers must not wait for a server that does not answer
TIMEOUT_S = 1.0


def redis_client() -> "redis.Redis":
    """A client; close it, or use it as a context manager. Its calls raise redis.RedisError."""
    return redis.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=TIMEOUT_S, socket_timeout=TIMEOUT_S)
