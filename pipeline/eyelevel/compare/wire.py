"""Wire reports as rows, one per take: packets, losses, timeouts, handshakes, and the last window."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from eyelevel.compare.columns import NETWORK, SITE, STACK, TAKE
from eyelevel.compare.model import Load
from eyelevel_core.tables import Table, derived, part

UNKNOWN = "; empty if unknown"


@dataclass(frozen=True)
class WireRow:
    """A take with all counts of its wire report, for a CSV file only."""

    load: Load = part()
    site: ClassVar[str] = derived("load.site", SITE)
    network: ClassVar[str] = derived("load.network", NETWORK)
    stack: ClassVar[str] = derived("load.stack", STACK)
    run: ClassVar[int] = derived("load.run", "number of the run, or of the block in a paired campaign")
    connections: ClassVar[int | None] = derived(
        "load.traffic.evidence.connections", f"number of connections that carried a request{UNKNOWN}"
    )
    most_handshake_round_trips: ClassVar[int | None] = derived(
        "load.traffic.evidence.most_round_trips",
        f"round trips before the first application data of a connection, maximum over the connections{UNKNOWN}",
    )
    handshake_packets: ClassVar[int | None] = derived(
        "load.traffic.evidence.handshake_packets",
        f"number of packets sent by the servers in handshakes, including those of unused connections{UNKNOWN}",
    )
    down_packets: ClassVar[int | None] = derived(
        "load.traffic.down.packets", f"number of packets sent to the browser, including dropped packets{UNKNOWN}"
    )
    down_queue_drops: ClassVar[int | None] = derived(
        "load.traffic.down.queue_drops", f"number of packets to the browser dropped by the link's queue{UNKNOWN}"
    )
    down_losses: ClassVar[int | None] = derived(
        "load.traffic.down.losses", f"number of packets to the browser dropped by the network's emulated loss{UNKNOWN}"
    )
    up_packets: ClassVar[int | None] = derived(
        "load.traffic.up.packets", f"number of packets sent by the browser, including dropped packets{UNKNOWN}"
    )
    up_losses: ClassVar[int | None] = derived(
        "load.traffic.up.losses", f"number of packets from the browser dropped by the network's emulated loss{UNKNOWN}"
    )
    repeated_packets: ClassVar[int | None] = derived(
        "load.traffic.evidence.repeated_packets",
        f"number of packets that the servers retransmitted (TCP) or declared lost (QUIC){UNKNOWN}",
    )
    timeouts: ClassVar[int | None] = derived(
        "load.traffic.evidence.timeouts",
        f"number of retransmission timeouts of the servers (TCP), or of losses of all packets sent over several "
        f"probe timeouts (QUIC){UNKNOWN}",
    )
    undone_reductions: ClassVar[int | None] = derived(
        "load.traffic.evidence.undone",
        "number of window reductions that a server reverted because everything had arrived (QUIC); empty for TCP",
    )
    window_packets: ClassVar[float | None] = derived(
        "load.traffic.evidence.window_packets",
        f"window in full packets at the end of the connection that sent most{UNKNOWN}",
    )
    rtt_ms: ClassVar[float | None] = derived(
        "load.traffic.evidence.rtt_ms", f"round-trip time measured by the server of that connection{UNKNOWN}"
    )
    take: ClassVar[str] = derived("load.path", TAKE)


WIRE = Table("wire", "The wire, take by take", "", WireRow)
# what the file contains, for a page that links to it
WIRE_WORDS = "packets, losses, timeouts, handshakes and the last window of every take"


def wire_rows(loads: Iterable[Load]) -> list[WireRow]:
    return [WireRow(load) for load in loads]
