"""Tables of downloads: every run, means per stack and network beside the paper's, and stacks against each other. Pure.

The paper: D. Saif, C.-H. Lung, A. Matrawy, arXiv 2004.01978, 2020 (figure 6 and its text): a file of 25 MB over a path
whose rate is unknown.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from typing import Any

from eyelevel.report import words
from eyelevel.report.table import Column, Table, View
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
        """What carried the file, such as h2 or h3, whatever the stack's name says.

        None where downloads differ in it, the browser did not say, or there is none.
        """
        found = {one.protocol for one in self.downloads}
        return found.pop() if len(found) == 1 else None

    @property
    def protocols(self) -> str:
        """How many downloads each protocol carried, the most frequent first."""
        counted = Counter(one.protocol or "unknown" for one in self.downloads)
        return ", ".join(f"{name} {number}" for name, number in counted.most_common())

    def mean(self, of: Value) -> float | None:
        """None where a download has no such value, or there is none."""
        values = [of(one) for one in self.downloads]
        known = [value for value in values if value is not None]
        return fmean(known) if known and len(known) == len(values) else None


@dataclass(frozen=True)
class Contrast:
    """A stack whose downloads all went over HTTP/3 against the first one over HTTP/2, over one network."""

    new: Cell
    reference: Cell

    @property
    def longer_ms(self) -> Difference | None:
        new, reference = ([one.duration_ms for one in cell.downloads] for cell in (self.new, self.reference))
        return difference([(new, reference)])

    def more(self, of: Value) -> float | None:
        """By what share the mean of the new stack is larger."""
        new, reference = self.new.mean(of), self.reference.mean(of)
        return new / reference - 1 if new is not None and reference else None


def contrasts(cells: Sequence[Cell]) -> list[Contrast]:
    found = []
    for network in dict.fromkeys(cell.network for cell in cells):
        own = [cell for cell in cells if cell.network == network and cell.downloads]
        references = [cell for cell in own if cell.protocol == "h2"]
        found += [Contrast(cell, references[0]) for cell in own if cell.protocol == "h3" and references]
    return found


def run_table(cells: Sequence[Cell]) -> Table:
    columns = [
        Column("network", "the network", lambda row: row.network),
        Column("stack", "the stack", lambda row: row.stack),
        Column("run", "number of the download; all stacks of a number have one seed", lambda row: row.run),
        Column("protocol", "protocol of the response, as the browser says", lambda row: row.protocol),
        Column("body_bytes", "bytes of the file", lambda row: row.body_bytes),
        Column("duration_ms", "from the request to the last byte, on an open connection", lambda row: row.duration_ms),
        *_amounts(lambda row, of: of(row)),
    ]
    return Table("runs", "Every download", columns, [], [one for cell in cells for one in cell.downloads])


def cell_table(cells: Sequence[Cell]) -> Table:
    columns = [
        Column("network", "the network", lambda row: row.network),
        Column("stack", "the stack", lambda row: row.stack),
        Column("downloads", "downloads that count; the rest are means over these", lambda row: len(row.downloads)),
        Column("failed", "downloads that failed", lambda row: row.failed),
        Column(
            "protocols", "downloads by the protocol of the response, as the browser says", lambda row: row.protocols
        ),
        Column("duration_ms", "from the request to the last byte, on an open connection", _mean(_duration)),
        *_amounts(lambda row, of: row.mean(of)),
        Column("paper_mean_mb_per_s", "the paper's mean over the same protocol, MB/s", lambda row: _paper(row, 0)),
        Column("paper_peak_mb_per_s", "the paper's peak over the same protocol, MB/s", lambda row: _paper(row, 1)),
    ]
    views = [
        View("network", lambda row: row.network, text=True),
        View("stack", lambda row: row.stack, text=True),
        View("runs (failed)", lambda row: f"{len(row.downloads)} ({row.failed})"),
        View("over", lambda row: row.protocols, text=True),
        View("s", lambda row: _scaled(row.mean(_duration), 1000)),
        View("mean MB/s", lambda row: _scaled(row.mean(lambda one: one.mean_bytes_per_s), MEGA)),
        View("peak MB/s", lambda row: _scaled(row.mean(lambda one: one.peak_bytes_per_s), MEGA)),
        View("packets down, up", lambda row: _both(row, lambda one: one.down_packets, lambda one: one.up_packets, 1)),
        View("MB down, up", lambda row: _both(row, lambda one: one.down_bytes, lambda one: one.up_bytes, MEGA)),
        View("overhead", lambda row: words.share(row.mean(lambda one: one.overhead))),
        View("paper: mean, peak", lambda row: ", ".join(words.decimal(_paper(row, place)) for place in (0, 1))),
    ]
    return Table("downloads", "Downloads by network and stack", columns, views, cells)


def contrast_table(rows: Sequence[Contrast]) -> Table:
    columns = [
        Column("network", "the network", lambda row: row.new.network),
        Column("new", "the stack over HTTP/3", lambda row: row.new.stack),
        Column("reference", "the stack over HTTP/2", lambda row: row.reference.stack),
        Column("longer_ms", "mean duration, new - reference", lambda row: _part(row, "difference")),
        Column("ci_low_ms", "low end of its 95 % interval (Welch)", lambda row: _part(row, "ci_low")),
        Column("ci_high_ms", "its high end", lambda row: _part(row, "ci_high")),
        Column("more_packets", "packets to the client, share beyond the reference's", _more(_packets)),
        Column("more_bytes", "IP bytes to the client, share beyond the reference's", _more(_bytes)),
        Column("paper_longer_ms", "the paper's difference", lambda row: -1000 * PAPER_SOONER_S),
        Column("paper_more_bytes", "the paper's share", lambda row: PAPER_MORE_BYTES),
    ]
    views = [
        View("network", lambda row: row.new.network, text=True),
        View("stacks", lambda row: f"{row.new.stack} / {row.reference.stack}", text=True),
        View("s longer", lambda row: _seconds(_part(row, "difference"))),
        View("95 % interval", lambda row: f"{_seconds(_part(row, 'ci_low'))} to {_seconds(_part(row, 'ci_high'))}"),
        View("more packets", lambda row: words.percent(row.more(_packets))),
        View("more bytes", lambda row: words.percent(row.more(_bytes))),
        View("paper: s longer, more bytes", lambda row: f"{words.signed(-PAPER_SOONER_S)}, "
                                                        f"{words.percent(PAPER_MORE_BYTES)}"),
    ]  # fmt: skip
    return Table("contrasts", "HTTP/3 against HTTP/2", columns, views, rows)


@dataclass(frozen=True)
class Moment:
    """An interval of a download; `at_ms` is its end, since the interval in which the download began."""

    download: Download
    at_ms: int
    arrived_bytes: int


def throughput_table(cells: Sequence[Cell]) -> Table:
    columns = [
        Column("network", "the network", lambda row: row.download.network),
        Column("stack", "the stack", lambda row: row.download.stack),
        Column("run", "number of the download", lambda row: row.download.run),
        Column("at_ms", "end of the interval, since the download's first one began", lambda row: row.at_ms),
        Column("arrived_bytes", "IP bytes that reached the client within it", lambda row: row.arrived_bytes),
    ]
    rows = [
        Moment(one, (place + 1) * one.interval_ms, arrived)
        for cell in cells
        for one in cell.downloads
        for place, arrived in enumerate(one.arrived_bytes)
    ]
    return Table("throughput", "Throughput over time", columns, [], rows)


def _amounts(value: Callable[[Any, Value], Any]) -> list[Column]:
    wanted: list[tuple[str, str, Value]] = [
        ("mean_bytes_per_s", "bytes of the file per second", lambda one: one.mean_bytes_per_s),
        ("peak_bytes_per_s", "most IP bytes that reached the client within a second", lambda one: one.peak_bytes_per_s),
        ("down_packets", "packets sent to the client, lost ones included", _packets),
        ("down_bytes", "IP bytes of these", _bytes),
        ("up_packets", "packets sent to the server, lost ones included", lambda one: one.up_packets),
        ("up_bytes", "IP bytes of these", lambda one: one.up_bytes),
        ("overhead", "down_bytes beyond the file, as a share of the file", lambda one: one.overhead),
    ]
    return [Column(name, meaning, partial(_of, value, of)) for name, meaning, of in wanted]


def _of(value: Callable[[Any, Value], Any], of: Value, row: Any) -> Any:
    return value(row, of)


def _duration(one: Download) -> float:
    return one.duration_ms


def _packets(one: Download) -> float:
    return one.down_packets


def _bytes(one: Download) -> float:
    return one.down_bytes


def _mean(of: Value) -> Callable[[Cell], float | None]:
    return lambda row: row.mean(of)


def _more(of: Value) -> Callable[[Contrast], float | None]:
    return lambda row: row.more(of)


def _part(row: Contrast, name: str) -> float | None:
    found = row.longer_ms
    return None if found is None else getattr(found, name)


def _paper(row: Cell, place: int) -> float | None:
    known = PAPER_MB_PER_S.get(row.protocol or "")
    return None if known is None else known[place]


def _scaled(value: float | None, unit: float) -> str:
    return words.decimal(None if value is None else value / unit)


def _both(row: Cell, down: Callable[[Download], float], up: Callable[[Download], float], unit: float) -> str:
    show = words.count if unit == 1 else words.decimal
    return ", ".join(show(None if value is None else value / unit) for value in (row.mean(down), row.mean(up)))


def _seconds(value: float | None) -> str:
    return "–" if value is None else words.signed(value / 1000, 2)
