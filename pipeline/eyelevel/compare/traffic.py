"""Computes the size of a page, its servers and protocols, and what was sent for it, from a wire report."""

from eyelevel.compare.model import Sent, Traffic
from eyelevel_core.model.wire import LinkCounters, WireReport


def traffic(wire: WireReport | None) -> Traffic:
    """Bytes of bodies and on the link, server addresses that answered something, requests, protocols, packets."""
    if wire is None:
        return Traffic(None, None, None, None)
    server = wire.server
    used = [] if server is None else [one for one in server.connections if one.requests]
    return Traffic(
        body_bytes=sum(one.body_bytes_sent for one in used) if used else None,
        link_down_bytes=wire.link.down.forwarded_bytes,
        servers=len({one.address.rpartition(":")[0] for one in used}) or None,
        requests=None if server is None else len(server.requests),
        protocols=None if server is None else server.protocols,
        down=_sent(wire.link.down),
        up=_sent(wire.link.up),
    )


def _sent(counters: LinkCounters) -> Sent:
    return Sent(counters.packets, counters.bytes)
