"""What a wire report says of a page's size and servers."""

from collections.abc import Mapping
from typing import Any

from eyelevel.compare.model import Traffic


def traffic(wire: Mapping[str, Any] | None) -> Traffic:
    """Bytes of bodies and on the link towards the browser, server addresses that answered something, requests."""
    server = (wire or {}).get("server") or {}
    used = [one for one in server.get("connections", []) if one.get("requests")]
    requests = server.get("requests")
    down = ((wire or {}).get("link") or {}).get("down") or {}
    return Traffic(
        body_bytes=sum(one["body_bytes_sent"] for one in used) if used else None,
        link_down_bytes=down.get("forwarded_bytes"),
        servers=len({one["address"].rpartition(":")[0] for one in used}) or None,
        requests=None if requests is None else len(requests),
    )
