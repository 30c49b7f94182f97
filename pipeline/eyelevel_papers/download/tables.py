"""Tables of downloads: every run, means per stack and network beside the paper's, and stacks against each other. Pure.

The paper: D. Saif, C.-H. Lung, A. Matrawy, arXiv 2004.01978, 2020 (figure 6 and its text): a file of 25 MB over a path
whose rate is unknown.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from statistics import fmean
from typing import ClassVar

from eyelevel.report.table import Filled
from eyelevel_core.tables import Column, Table, column, columns, derived, part
from eyelevel_papers.download.measured import Download
from eyelevel_stats.arms import Difference, difference

MEGA = 1e6
# by protocol: mean and peak in MB/s
PAPER_MB_PER_S: Mapping[str, tuple[float, float]] = {"h2": (1.03, 2.03), "h3": (1.24, 1.69)}
# HTTP/3 against HTTP/2
PAPER_SOONER_S, PAPER_MORE_BYTES = 4.0, 0.03
# of a download; None where unknown
Value = Callable[[Download], float | None]


@dataclass(frozen=True)
class Cell:
    """The downloads of a stack over a network, which `network` labels."""

    network: str
    stack: str
    downloads: Sequence[Download]
    failed: int

    @property
    def protocol(self) -> str | None:
        """The protocol of the responses, such as h2 or h3, as the browser reports it.

        None where downloads differ in it, the browser did not report it, or there is no download.
        """
        protocols = {download.protocol for download in self.downloads}
        return protocols.pop() if len(protocols) == 1 else None

    @property
    def protocols(self) -> str:
        """The number of downloads over each protocol, the most frequent first."""
        counted = Counter(download.protocol or "unknown" for download in self.downloads)
        return ", ".join(f"{name} {number}" for name, number in counted.most_common())

    def mean(self, of: Value) -> float | None:
        """Returns the mean; None where a download has no such value, or there is no download."""
        values = [of(download) for download in self.downloads]
        known = [value for value in values if value is not None]
        return fmean(known) if known and len(known) == len(values) else None


@dataclass(frozen=True)
class Contrast:
    """A stack whose downloads all went over HTTP/3 against the first one over HTTP/2, over one network."""

    new: Cell
    reference: Cell

    @property
    def longer_ms(self) -> Difference | None:
        new, reference = ([download.duration_ms for download in cell.downloads] for cell in (self.new, self.reference))
        return difference([(new, reference)])

    def more(self, of: Value) -> float | None:
        """Returns the relative difference of the means, as a share of the reference's."""
        new, reference = self.new.mean(of), self.reference.mean(of)
        return new / reference - 1 if new is not None and reference else None


def contrasts(cells: Sequence[Cell]) -> list[Contrast]:
    pairs = []
    for network in dict.fromkeys(cell.network for cell in cells):
        of_network = [cell for cell in cells if cell.network == network and cell.downloads]
        references = [cell for cell in of_network if cell.protocol == "h2"]
        pairs += [Contrast(cell, references[0]) for cell in of_network if cell.protocol == "h3" and references]
    return pairs


# of a download, or their mean
AMOUNTS = [
    Column("mean_bytes_per_s", "number", None, "mean throughput: bytes of the file per second", format="count"),
    Column(
        "peak_bytes_per_s",
        "number",
        None,
        "largest number of IP bytes that reached the client within one second",
        format="count",
    ),
    Column(
        "down_packets", "number", None, "number of packets sent to the client, including lost packets", format="count"
    ),
    Column("down_bytes", "number", None, "number of IP bytes in the packets sent to the client", format="count"),
    Column(
        "up_packets", "number", None, "number of packets sent to the server, including lost packets", format="count"
    ),
    Column("up_bytes", "number", None, "number of IP bytes in the packets sent to the server", format="count"),
    Column(
        "overhead", "number", None, "down_bytes in excess of the file size, as a share of the file size", format="share"
    ),
    Column("repeated_packets", "number", None, "number of packets retransmitted (TCP) or declared lost (QUIC)"),
    Column(
        "timeouts", "number", None, "number of retransmission timeouts (TCP) or of losses of all packets sent (QUIC)"
    ),
]
NETWORK, STACK = "emulated network", "protocol stack"
DURATION = "time from the request to the last byte, on an open connection"


@dataclass(frozen=True)
class RunRow:
    """A download; in a file alone."""

    download: Download = part()
    network: ClassVar[str] = derived("download.network", NETWORK)
    stack: ClassVar[str] = derived("download.stack", STACK)
    run: ClassVar[int] = derived(
        "download.run", "number of the download; downloads of all stacks with the same number have the same seed"
    )
    protocol: ClassVar[str | None] = derived(
        "download.protocol", "protocol of the response, as reported by the browser"
    )
    body_bytes: ClassVar[int] = derived("download.body_bytes", "size of the file in bytes")
    duration_ms: ClassVar[float] = derived("download.duration_ms", DURATION)
    amounts: Mapping[str, float | None] = columns(*AMOUNTS)


@dataclass(frozen=True, kw_only=True)
class CellRow:
    """The downloads of a stack over a network, beside the paper's over the same protocol."""

    cell: Cell = part()
    network: ClassVar[str] = derived("cell.network", NETWORK)
    stack: ClassVar[str] = derived("cell.stack", STACK)
    downloads: int = column("number of downloads used; the following columns are means over these downloads")
    failed: ClassVar[int] = derived("cell.failed", "number of failed downloads")
    protocols: ClassVar[str] = derived(
        "cell.protocols", "number of downloads by protocol of the response, as reported by the browser", head="over"
    )
    duration_ms: float | None = column(DURATION, shown="ms")
    amounts: Mapping[str, float | None] = columns(*AMOUNTS)
    paper_mean_mb_per_s: float | None = column(
        "mean throughput in the paper for the same protocol, MB/s", head="paper: mean, MB/s"
    )
    paper_peak_mb_per_s: float | None = column(
        "peak throughput in the paper for the same protocol, MB/s", head="peak, MB/s"
    )


@dataclass(frozen=True)
class ContrastRow:
    """HTTP/3 against HTTP/2, beside the paper's."""

    contrast: Contrast = part()
    network: ClassVar[str] = derived("contrast.new.network", NETWORK)
    new: ClassVar[str] = derived("contrast.new.stack", "stack over HTTP/3")
    reference: ClassVar[str] = derived("contrast.reference.stack", "stack over HTTP/2")
    longer_ms: ClassVar[float | None] = derived(
        "contrast.longer_ms.difference", "difference of mean durations, new - reference", shown="signed_ms"
    )
    ci_low_ms: ClassVar[float | None] = derived(
        "contrast.longer_ms.ci_low",
        "lower end of the 95 % interval of longer_ms (Welch)",
        head="95 % interval, ms",
        shown="signed_ms",
        until="ci_high_ms",
    )
    ci_high_ms: ClassVar[float | None] = derived(
        "contrast.longer_ms.ci_high", "upper end of the 95 % interval of longer_ms (Welch)"
    )
    more_packets: float | None = column(
        "relative difference in packets sent to the client, new over reference minus 1", shown="percent"
    )
    more_bytes: float | None = column(
        "relative difference in IP bytes sent to the client, new over reference minus 1", shown="percent"
    )
    paper_longer_ms: float = column("difference of durations in the paper", head="paper: longer, ms", shown="signed_ms")
    paper_more_bytes: float = column(
        "relative difference in IP bytes in the paper", head="paper: more bytes", shown="percent"
    )


@dataclass(frozen=True)
class Moment:
    """An interval of a download; in a file alone."""

    download: Download = part()
    network: ClassVar[str] = derived("download.network", NETWORK)
    stack: ClassVar[str] = derived("download.stack", STACK)
    run: ClassVar[int] = derived("download.run", "number of the download")
    at_ms: int = column("end of the interval, since the start of the first interval of the download")
    arrived_bytes: int = column("number of IP bytes that reached the client in this interval")
    window_packets: float | None = column(
        "window of the server at the start of the interval, in full packets; empty if unknown"
    )


def run_table(cells: Sequence[Cell]) -> Filled:
    rows = [
        RunRow(download, {amount.name: getattr(download, amount.name) for amount in AMOUNTS})
        for cell in cells
        for download in cell.downloads
    ]
    return Filled(Table("runs", "Every download", "", RunRow), rows)


def cell_table(cells: Sequence[Cell]) -> Filled:
    return Filled(Table("downloads", "Downloads by network and stack", "", CellRow), list(map(_row, cells)))


def _row(cell: Cell) -> CellRow:
    mean, peak = PAPER_MB_PER_S.get(cell.protocol or "", (None, None))
    return CellRow(
        cell=cell,
        downloads=len(cell.downloads),
        duration_ms=cell.mean(attrgetter("duration_ms")),
        amounts={amount.name: cell.mean(attrgetter(amount.name)) for amount in AMOUNTS},
        paper_mean_mb_per_s=mean,
        paper_peak_mb_per_s=peak,
    )


def contrast_table(contrasts: Sequence[Contrast]) -> Filled:
    rows = [
        ContrastRow(
            contrast,
            contrast.more(attrgetter("down_packets")),
            contrast.more(attrgetter("down_bytes")),
            -1000 * PAPER_SOONER_S,
            PAPER_MORE_BYTES,
        )
        for contrast in contrasts
    ]
    return Filled(Table("contrasts", "HTTP/3 against HTTP/2", "", ContrastRow), rows)


def throughput_table(cells: Sequence[Cell]) -> Filled:
    rows = [
        Moment(
            download,
            (place + 1) * download.interval_ms,
            arrived,
            download.window_packets[place] if place < len(download.window_packets) else None,
        )
        for cell in cells
        for download in cell.downloads
        for place, arrived in enumerate(download.arrived_bytes)
    ]
    return Filled(Table("throughput", "Throughput over time", "", Moment), rows)
