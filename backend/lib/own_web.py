"""Requests of the platform to its own web server on this machine. Needs no Django settings."""

import urllib.error
import urllib.request
from collections.abc import Mapping

from eyelevel_core.variables import default_of


def own_host(env: Mapping[str, str]) -> str:
    """The first allowed host name; the web server rejects and logs requests with any other, even from loopback."""
    allowed = (part.strip().lstrip(".*") for part in env.get("EYELEVEL_ALLOWED_HOSTS", "").split(","))
    return next(filter(None, allowed), default_of("EYELEVEL_ALLOWED_HOSTS").split(",")[0])


def own_health(url: str, env: Mapping[str, str], *, timeout_s: float) -> bytes:
    """The web server's answer to /api/health, with any status; raises OSError if it does not answer."""
    request = urllib.request.Request(f"{url}/api/health", headers={"Host": own_host(env)})  # noqa: S310 - http on loopback
    try:
        with urllib.request.urlopen(request, timeout=timeout_s) as response:  # noqa: S310 - http on loopback
            body: bytes = response.read()
    except urllib.error.HTTPError as error:
        body = error.read()
    return body
