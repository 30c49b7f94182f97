"""Requests of the platform to its own web server on this machine. Needs no Django settings."""

from collections.abc import Mapping
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

from eyelevel_core.variables import default_of


def own_host(env: Mapping[str, str]) -> str:
    """The first allowed host name; the web server rejects and logs requests with any other, even from loopback."""
    allowed = (part.strip().lstrip(".*") for part in env.get("EYELEVEL_ALLOWED_HOSTS", "").split(","))
    return next(filter(None, allowed), default_of("EYELEVEL_ALLOWED_HOSTS").split(",")[0])


def own_health(url: str, env: Mapping[str, str], *, timeout_s: float) -> bytes:
    """The web server's answer to /api/health, with any status; raises OSError if it does not answer in full.

    Unlike urllib, this ignores proxies in the environment, which cannot reach this machine's loopback.
    """
    with closing(HTTPConnection(urlsplit(url).netloc, timeout=timeout_s)) as connection:
        try:
            connection.request("GET", "/api/health", headers={"Host": own_host(env)})
            return connection.getresponse().read()
        except HTTPException as error:
            raise OSError(f"its answer is no whole HTTP response ({type(error).__name__})") from error
