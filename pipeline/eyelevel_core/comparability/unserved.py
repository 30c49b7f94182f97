"""Finds requests to hosts and ports that replay does not serve, by the browser's failures, as no server sees them.

Such requests count as missed. A request that the network failed on its way to a server is an outcome of network and
stack, and does not count as missed.
"""

from collections.abc import Collection, Iterable
from urllib.parse import urlsplit

from eyelevel_core.model.response import Response
from eyelevel_core.model.wire import ServedRequest

# the browser cancelled the request for the page
CANCELLED = "net::ERR_ABORTED"
# or did not send it
NOT_ASKED = (CANCELLED, "net::ERR_BLOCKED_BY_")
HTTPS = 443
HTTP = 80


def is_unserved(response: Response, origins: Collection[str]) -> bool:
    """Whether a request of responses.json failed because replay does not serve its host and port.

    `origins` are the `host:port` of the wire report's `server.origins`.
    """
    failure = response.failure
    if response.status is not None or failure is None or failure.startswith(NOT_ASKED):
        return False
    return origin_of(response.url) not in origins


def unserved_before_load(responses: Iterable[Response], origins: Collection[str]) -> list[ServedRequest]:
    """Returns a missed entry, in the form of the wire report, for each such request that began before load."""
    return [
        ServedRequest(response.url, response.method, matched_url=None, status=None, body_bytes=None, kind="miss")
        for response in responses
        if response.before_load and is_unserved(response, origins)
    ]


def origin_of(url: str) -> str:
    """Returns the `host:port` at which replay serves a URL: everything is encrypted, so port 80 becomes 443."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2].removesuffix(f":{parts.port}").lower()
    usual = parts.port is None or (parts.scheme, parts.port) == ("http", HTTP)
    return f"{host}:{HTTPS if usual else parts.port}"
