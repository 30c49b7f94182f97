"""Computes the size of a page, its servers and protocols, and its packets, from a wire report."""

from collections.abc import Iterable

from eyelevel.compare.model import Evidence, Sent, Traffic
from eyelevel_core.model.wire import Connection, ConnectionEnd, Flow, LinkCounters, WireReport

# for a transport that reported nothing when its connection ended
UNKNOWN = ConnectionEnd("")


def traffic(wire: WireReport | None) -> Traffic:
    """Returns bytes of bodies and on the link, server addresses that answered, requests, protocols and packets.

    The link also counts an earlier visit of the same browser, so its counts are unknown if there was one.
    """
    if wire is None:
        return Traffic(None, None, None, None)
    server = wire.server
    alone = wire.earlier is None
    used = [] if server is None else [connection for connection in server.connections if connection.requests]
    return Traffic(
        body_bytes=sum(connection.body_bytes_sent for connection in used) if used else None,
        link_down_bytes=wire.link.down.forwarded_bytes if alone else None,
        servers=len({connection.address.rpartition(":")[0] for connection in used}) or None,
        requests=None if server is None else len(server.requests),
        protocols=None if server is None else server.protocols,
        down=_sent(wire.link.down) if alone else None,
        up=_sent(wire.link.up) if alone else None,
        evidence=None if server is None else evidence(wire.flows, server.connections),
    )


def evidence(flows: Iterable[Flow], connections: Iterable[Connection]) -> Evidence:
    """Sums the counters of all connections of a take."""
    flows = [flow for flow in flows if flow.transport != "udp"]
    used = [connection for connection in connections if connection.requests]
    ends = [connection.at_close or UNKNOWN for connection in used]
    last = max(used, key=lambda connection: connection.body_bytes_sent).at_close or UNKNOWN if used else UNKNOWN
    return Evidence(
        connections=len(used),
        handshake_packets=_sum(flow.handshake_packets for flow in flows),
        most_round_trips=max(
            (flow.handshake_round_trips for flow in flows if flow.handshake_round_trips is not None), default=None
        ),
        repeated_packets=_sum(end.repeated_packets for end in ends),
        timeouts=_sum(end.timeouts for end in ends),
        undone=_sum(end.spurious_congestion_events for end in ends),
        window_packets=last.window_packets,
        rtt_ms=last.rtt_ms,
    )


def _sum(values: Iterable[int | None]) -> int | None:
    """The sum; None if a value is unknown, or there are none."""
    known = list(values)
    return sum(value for value in known if value is not None) if known and None not in known else None


def _sent(counters: LinkCounters) -> Sent:
    return Sent(counters.packets, counters.bytes, counters.drops_queue, counters.drops_loss)
