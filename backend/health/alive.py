"""`python -m health.alive worker`: the health check of a container without a web server; exit status 0 or 1.

It asks Redis for the service's last sign of life, and needs no second: Django is not set up.
"""

import os
import sys

import redis
from django.core.exceptions import ImproperlyConfigured

from lib.secret_values import redis_url

PREFIX = "eyelevel:alive:"
SERVICES = ("worker", "in-depth", "beat")


def main() -> int:
    if len(sys.argv) != 2 or sys.argv[1] not in SERVICES:
        sys.stderr.write(f"usage: python -m health.alive {'|'.join(SERVICES)}" + "\n")
        return 2
    try:
        with redis.Redis.from_url(redis_url(os.environ), socket_connect_timeout=2, socket_timeout=2) as client:
            lives = client.exists(PREFIX + sys.argv[1])
    except redis.RedisError as error:
        sys.stderr.write(f"Redis does not answer: {error}" + "\n")
        return 1
    except ImproperlyConfigured as error:
        sys.stderr.write(f"{error}" + "\n")
        return 1
    if not lives:
        sys.stderr.write(f"{sys.argv[1]} has given no sign of life for a minute" + "\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
