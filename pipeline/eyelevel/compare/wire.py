"""Wire reports as rows, one per take: packets, losses, timeouts, handshakes, and the last window."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from eyelevel.compare.columns import NETWORK, SITE, STACK, TAKE
from eyelevel.compare.model import Load
from eyelevel_core.tables import Table, derived, part

UNKNOWN = "; empty where unknown"


@dataclass(frozen=True)
class WireRow:
    """A take with all counts of its wire report, for a CSV file only."""

    load: Load = part()
    site: ClassVar[str] = derived("load.site", SITE)
    network: ClassVar[str] = derived("load.network", NETWORK)
    stack: ClassVar[str] = derived("load.stack", STACK)
    run: ClassVar[int] = derived("load.run", "number of the run; with a paired campaign, of the block")
    connections: ClassVar[int | None] = derived(
        "load.traffic.evidence.connections", f"connections that carried a request{UNKNOWN}"
    )
    most_handshake_round_trips: ClassVar[int | None] = derived(
        "load.traffic.evidence.most_round_trips",
        f"round trips before a connection's first application data, the most of any connection{UNKNOWN}",
    )
    handshake_packets: ClassVar[int | None] = derived(
        "load.traffic.evidence.handshake_packets",
        f"packets that the servers sent in handshakes, those of unused connections included{UNKNOWN}",
    )
    down_packets: ClassVar[int | None] = derived(
        "load.traffic.down.packets", f"packets sent towards the browser, dropped ones included{UNKNOWN}"
    )
    down_queue_drops: ClassVar[int | None] = derived(
        "load.traffic.down.queue_drops", f"of these, dropped by the link's queue{UNKNOWN}"
    )
    down_losses: ClassVar[int | None] = derived(
        "load.traffic.down.losses", f"of these, dropped by the network's loss{UNKNOWN}"
    )
    up_packets: ClassVar[int | None] = derived(
        "load.traffic.up.packets", f"packets sent by the browser, dropped ones included{UNKNOWN}"
    )
    up_losses: ClassVar[int | None] = derived(
        "load.traffic.up.losses", f"of these, dropped by the network's loss{UNKNOWN}"
    )
    repeated_packets: ClassVar[int | None] = derived(
        "load.traffic.evidence.repeated_packets",
        f"packets that the servers sent again (TCP) or gave up as lost (QUIC){UNKNOWN}",
    )
    timeouts: ClassVar[int | None] = derived(
        "load.traffic.evidence.timeouts",
        f"retransmission timeouts of the servers (TCP), or losses of all that was sent over several probe timeouts "
        f"(QUIC){UNKNOWN}",
    )
    undone_reductions: ClassVar[int | None] = derived(
        "load.traffic.evidence.undone",
        "reductions of the window that a server took back, because everything had arrived (QUIC); empty for TCP",
    )
    window_packets: ClassVar[float | None] = derived(
        "load.traffic.evidence.window_packets",
        f"window in full packets at the end of the connection that sent most{UNKNOWN}",
    )
    rtt_ms: ClassVar[float | None] = derived(
        "load.traffic.evidence.rtt_ms", f"round trip that the server of that connection measured{UNKNOWN}"
    )
    take: ClassVar[str] = derived("load.path", TAKE)


WIRE = Table("wire", "The wire, take by take", "", WireRow)
# what the file contains, for a page that links to it
WIRE_WORDS = "packets, losses, timeouts, handshakes and the last window of every take"


def wire_rows(loads: Iterable[Load]) -> list[WireRow]:
    return [WireRow(load) for load in loads]
