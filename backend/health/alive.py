"""`python -m health.alive web`: health check of a container; exit status 0, or 1 with a message.

It queries the web server on this machine, or Redis for the heartbeat of a worker or beat. It runs every few seconds, so
it does not set up Django, which would take ten times as long.
"""

import json
import os
import platform
import sys

import redis
from django.core.exceptions import ImproperlyConfigured

from lib.own_web import own_health
from lib.secret_values import redis_url

PREFIX = "eyelevel:alive:"


def life_of(service: str) -> str:
    """The key of the heartbeat of a service on this host; each host has its own keys."""
    return f"{PREFIX}{service}:{platform.node()}"


SERVICES = ("worker", "in-depth", "beat")
WEB = "web"
WEB_S = 4.0


def main() -> int:
    if len(sys.argv) != 2 or sys.argv[1] not in (WEB, *SERVICES):
        sys.stderr.write(f"usage: python -m health.alive {'|'.join((WEB, *SERVICES))}" + "\n")
        return 2
    fault = _fault_of_web() if sys.argv[1] == WEB else _fault_of(sys.argv[1])
    if fault is not None:
        sys.stderr.write(fault + "\n")
        return 1
    return 0


def _fault_of(service: str) -> str | None:
    try:
        with redis.Redis.from_url(redis_url(os.environ), socket_connect_timeout=2, socket_timeout=2) as client:
            lives = client.exists(life_of(service))
    except redis.RedisError as error:
        return f"Redis does not answer: {error}"
    except ImproperlyConfigured as error:
        return str(error)
    return None if lives else f"{service} has sent no heartbeat for a minute; see its log."


def _fault_of_web() -> str | None:
    """The fault, if the web server does not answer or reach the database; a 503 for another reason is no fault."""
    port = (os.environ.get("EYELEVEL_BIND") or ":8000").rpartition(":")[2]
    try:
        body = own_health(f"http://127.0.0.1:{port}", os.environ, timeout_s=WEB_S)
    except OSError as error:
        return f"The web server does not answer on port {port}: {error}"
    try:
        reached = json.loads(body)["database"]
    except (ValueError, KeyError, TypeError):
        return f"Port {port} answers, but not with Eyelevel's health report; check which program uses it."
    return None if reached else "The web server answers, but cannot reach the database; check EYELEVEL_DATABASE_URL."


if __name__ == "__main__":
    sys.exit(main())
