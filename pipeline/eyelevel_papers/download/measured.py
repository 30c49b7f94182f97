"""Measurements of a download, from the browser's times and the wire report's series. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

from eyelevel_core.model.wire import ConnectionSeries, LinkSeries, WireReport

# the peak is the largest amount within this number of consecutive intervals: 100 ms each, one second
PEAK_MS = 1000


@dataclass(frozen=True)
class Download:
    """One download. Series are per interval since the one in which it began.

    `arrived_bytes` are IP bytes that reached the client; `packets` and `sent_bytes` of each direction count what was
    sent into the link, lost ones included. `protocol` is None where the browser did not report it. `window_packets` is
    the server's window at the start of each interval, `repeated_packets` what TCP sent again or QUIC declared lost.
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
    window_packets: Sequence[float] = ()
    repeated_packets: int | None = None
    timeouts: int | None = None

    @property
    def mean_bytes_per_s(self) -> float:
        """The mean rate of the body."""
        return 1000 * self.body_bytes / self.duration_ms

    @property
    def peak_bytes_per_s(self) -> float | None:
        """The largest number of IP bytes that reached the client within a second; None if the download was shorter."""
        width = PEAK_MS // self.interval_ms
        if len(self.arrived_bytes) < width:
            return None
        places = range(len(self.arrived_bytes) - width + 1)
        return 1000 / PEAK_MS * max(sum(self.arrived_bytes[place : place + width]) for place in places)

    @property
    def overhead(self) -> float:
        """IP bytes sent to the client in addition to the body, as a share of the body."""
        return self.down_bytes / self.body_bytes - 1


class BrowserReport(TypedDict):
    """The browser's report of a download."""

    began_unix_ms: float
    duration_ms: float
    body_bytes: int
    protocol: str


def measured(
    browser: BrowserReport, wire: WireReport, down: LinkSeries, up: LinkSeries, *, network: str, run: int
) -> Download:
    """Computes the measurements of a download from the reports of browser and testbed."""
    first = int((browser["began_unix_ms"] - down.begun_unix_ms) // down.interval_ms)
    last = int((browser["began_unix_ms"] + browser["duration_ms"] - down.begun_unix_ms) // down.interval_ms)
    during = slice(max(first, 0), last + 1)
    server = _over_time(browser, wire)
    return Download(
        network=network,
        stack=wire.stack.name,
        run=run,
        protocol=browser["protocol"],
        body_bytes=browser["body_bytes"],
        duration_ms=browser["duration_ms"],
        interval_ms=down.interval_ms,
        arrived_bytes=down.forwarded_bytes[during],
        down_packets=sum(down.packets[during]),
        down_bytes=sum(down.bytes[during]),
        up_packets=sum(up.packets[during]),
        up_bytes=sum(up.bytes[during]),
        window_packets=server.window_packets if server else (),
        repeated_packets=server.lost_packets[-1] - server.lost_packets[0] if server else None,
        timeouts=server.timeouts[-1] - server.timeouts[0] if server else None,
    )


def _over_time(browser: BrowserReport, wire: WireReport) -> ConnectionSeries | None:
    """Returns the series, during the download, of the connection that sent most; None where it is unknown."""
    used = wire.server.connections if wire.server else ()
    series = max(used, key=lambda connection: connection.body_bytes_sent).series if used else None
    if series is None:
        return None
    first = max(int((browser["began_unix_ms"] - series.begun_unix_ms) // series.interval_ms), 0)
    last = int((browser["began_unix_ms"] + browser["duration_ms"] - series.begun_unix_ms) // series.interval_ms)
    during = slice(first, last + 1)
    lists = (series.window_packets[during], series.lost_packets[during], series.timeouts[during])
    return ConnectionSeries(series.interval_ms, series.begun_unix_ms, *lists) if lists[0] else None


def why_void(wire: WireReport) -> str | None:
    """Returns why a run is void: the link or the stack was not as defined; None if it is valid."""
    if wire.server is None:
        return "the servers left no report"
    if any(link.drops_emulation or link.oversized for link in (wire.link.down, wire.link.up)):
        return "the emulation missed packets, or carried packets above the MTU"
    return wire.contradictions[0] if wire.contradictions else None
