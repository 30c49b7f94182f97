"""`python -m health.alive worker`: the health check of a container without a web server; exit status 0 or 1.

It asks Redis for the service's last sign of life, and needs neither Django nor a second.
"""

import os
import sys

import redis

PREFIX = "eyelevel:alive:"
SERVICES = ("worker", "in-depth", "beat")


def main() -> int:
    if len(sys.argv) != 2 or sys.argv[1] not in SERVICES:
        sys.stderr.write(f"usage: python -m health.alive {'|'.join(SERVICES)}" + "\n")
        return 2
    url = os.environ.get("EYELEVEL_REDIS_URL") or "redis://127.0.0.1:6379/0"
    try:
        with redis.Redis.from_url(url, socket_connect_timeout=2, socket_timeout=2) as client:
            lives = client.exists(PREFIX + sys.argv[1])
    except redis.RedisError as error:
        sys.stderr.write(f"Redis does not answer: {error}" + "\n")
        return 1
    if not lives:
        sys.stderr.write(f"{sys.argv[1]} has given no sign of life for a minute" + "\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
