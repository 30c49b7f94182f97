"""Computes the size of a page, its servers and protocols, and what was sent for it, from a wire report."""

from eyelevel.compare.model import Sent, Traffic
from eyelevel_core.model.wire import LinkCounters, WireReport


def traffic(wire: WireReport | None) -> Traffic:
    """Bytes of bodies and on the link, server addresses that answered something, requests, protocols, packets.

    The link also counts an earlier visit of the same browser, so what it carried is unknown where there was one.
    """
    if wire is None:
        return Traffic(None, None, None, None)
    server = wire.server
    alone = wire.earlier is None
    used = [] if server is None else [one for one in server.connections if one.requests]
    return Traffic(
        body_bytes=sum(one.body_bytes_sent for one in used) if used else None,
        link_down_bytes=wire.link.down.forwarded_bytes if alone else None,
        servers=len({one.address.rpartition(":")[0] for one in used}) or None,
        requests=None if server is None else len(server.requests),
        protocols=None if server is None else server.protocols,
        down=_sent(wire.link.down) if alone else None,
        up=_sent(wire.link.up) if alone else None,
    )


def _sent(counters: LinkCounters) -> Sent:
    return Sent(counters.packets, counters.bytes, counters.drops_queue, counters.drops_loss)
