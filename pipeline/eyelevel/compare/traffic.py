"""What a wire report says of a page's size and servers."""

from eyelevel.compare.model import Traffic
from eyelevel_core.model.wire import WireReport


def traffic(wire: WireReport | None) -> Traffic:
    """Bytes of bodies and on the link towards the browser, server addresses that answered something, requests."""
    if wire is None:
        return Traffic(None, None, None, None)
    server = wire.server
    used = [] if server is None else [one for one in server.connections if one.requests]
    return Traffic(
        body_bytes=sum(one.body_bytes_sent for one in used) if used else None,
        link_down_bytes=wire.link.down.forwarded_bytes,
        servers=len({one.address.rpartition(":")[0] for one in used}) or None,
        requests=None if server is None else len(server.requests),
    )
