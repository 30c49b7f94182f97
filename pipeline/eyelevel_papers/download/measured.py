"""What a download took, from the browser's times and the wire report's series. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

from eyelevel_core.model.wire import LinkSeries, WireReport

# the peak is the most that reached the client within so many intervals in a row: a second of 100 ms each
PEAK_MS = 1000


@dataclass(frozen=True)
class Download:
    """One download. Series are per interval since the one in which it began.

    `arrived_bytes` are IP bytes that reached the client; `packets` and `sent_bytes` of each way count what was sent
    into the link, lost ones included. `protocol` is None where the browser did not say.
    """

    network: str
    stack: str
    run: int
    protocol: str | None
    body_bytes: int
    duration_ms: float
    interval_ms: int
    arrived_bytes: Sequence[int]
    down_packets: int
    down_bytes: int
    up_packets: int
    up_bytes: int

    @property
    def mean_bytes_per_s(self) -> float:
        """Of the body."""
        return 1000 * self.body_bytes / self.duration_ms

    @property
    def peak_bytes_per_s(self) -> float | None:
        """The most IP bytes that reached the client within a second; None of a download that is shorter."""
        width = PEAK_MS // self.interval_ms
        if len(self.arrived_bytes) < width:
            return None
        places = range(len(self.arrived_bytes) - width + 1)
        return 1000 / PEAK_MS * max(sum(self.arrived_bytes[place : place + width]) for place in places)

    @property
    def overhead(self) -> float:
        """IP bytes sent to the client beyond the body, as a share of the body."""
        return self.down_bytes / self.body_bytes - 1


class Told(TypedDict):
    """What the browser said of a download."""

    began_unix_ms: float
    duration_ms: float
    body_bytes: int
    protocol: str


def measured(told: Told, wire: WireReport, down: LinkSeries, up: LinkSeries, *, network: str, run: int) -> Download:
    first = int((told["began_unix_ms"] - down.begun_unix_ms) // down.interval_ms)
    last = int((told["began_unix_ms"] + told["duration_ms"] - down.begun_unix_ms) // down.interval_ms)
    during = slice(max(first, 0), last + 1)
    return Download(
        network=network,
        stack=wire.stack.name,
        run=run,
        protocol=told["protocol"],
        body_bytes=told["body_bytes"],
        duration_ms=told["duration_ms"],
        interval_ms=down.interval_ms,
        arrived_bytes=down.forwarded_bytes[during],
        down_packets=sum(down.packets[during]),
        down_bytes=sum(down.bytes[during]),
        up_packets=sum(up.packets[during]),
        up_bytes=sum(up.bytes[during]),
    )


def why_void(wire: WireReport) -> str | None:
    """Why a run does not count: the link or the stack was not as defined; None where it does."""
    if wire.server is None:
        return "the servers left no report"
    if any(link.drops_emulation or link.oversized for link in (wire.link.down, wire.link.up)):
        return "the emulation missed packets, or carried packets above the MTU"
    return wire.contradictions[0] if wire.contradictions else None
