"""Figures printed by K. Nepomuceno et al., QUIC and TCP: A Performance Evaluation, 2018.

The paper compares HTTP/1.1 over TCP with HTTP/2 over QUIC on recorded pages, which Mahimahi replays, through a proxy,
in 12 emulated networks of unlimited rate, with and without the browser's cache, 30 times each.
"""

from collections.abc import Mapping
from dataclasses import dataclass

RTTS_MS = (20.0, 100.0, 200.0)
LOSSES = (0.0, 0.005, 0.01, 0.02)
# the paper's two events by our metric. Its gloss swaps them; here they mean what HAR 1.2 means
EVENTS: Mapping[str, str] = {"plt": "onLoad", "dcl": "onContentLoaded"}
# the paper's two modes by the cache state of a visit
CACHES: Mapping[str, str] = {"all": "cache enabled", "cold": "cache disabled"}
RUNS, PAGES = 30, 100


@dataclass(frozen=True, order=True)
class Configuration:
    """One emulated network of the paper: its number, round trip in ms, and loss as a share of packets."""

    number: int
    rtt_ms: float
    loss: float

    @property
    def name(self) -> str:
        return f"C{self.number:02d}"

    @property
    def words(self) -> str:
        return f"{self.name} ({self.rtt_ms:g} ms, {100 * self.loss:g} %)"


# numbered in the order of round trips
CONFIGURATIONS = tuple(
    Configuration(number, rtt_ms, loss)
    for number, (rtt_ms, loss) in enumerate(((rtt_ms, loss) for rtt_ms in RTTS_MS for loss in LOSSES), start=1)
)
# table III, in percent of pages whose mean over QUIC is smaller, C01 to C12
TABLE_III: Mapping[tuple[str, str], tuple[float, ...]] = {
    ("plt", "all"): (17.24, 22.98, 24.13, 16.09, 25.28, 21.83, 27.58, 26.43, 20.68, 24.13, 25.28, 32.18),
    ("plt", "cold"): (35.16, 34.06, 34.06, 35.16, 29.67, 35.16, 31.86, 34.06, 28.57, 32.96, 35.16, 39.56),
    ("dcl", "all"): (9.67, 12.9, 8.6, 4.3, 11.82, 7.52, 10.75, 10.75, 5.37, 8.6, 9.67, 9.67),
    ("dcl", "cold"): (34.37, 37.5, 39.58, 40.62, 36.45, 36.45, 37.5, 40.62, 33.33, 28.12, 30.2, 36.45),
}
# the integers behind these percentages, which are truncated after two decimals: counted pages, pages faster over QUIC
COUNTS: Mapping[tuple[str, str], tuple[int, tuple[int, ...]]] = {
    ("plt", "all"): (87, (15, 20, 21, 14, 22, 19, 24, 23, 18, 21, 22, 28)),
    ("plt", "cold"): (91, (32, 31, 31, 32, 27, 32, 29, 31, 26, 30, 32, 36)),
    ("dcl", "all"): (93, (9, 12, 8, 4, 11, 7, 10, 10, 5, 8, 9, 9)),
    ("dcl", "cold"): (96, (33, 36, 38, 39, 35, 35, 36, 39, 32, 27, 29, 35)),
}
# its prose says 5.37 and at least 60 % where its table says 4.30 and 59.37
PROSE_LEAST, PROSE_TCP = 5.37, 60.0
# the phase that takes most of the time, by transport
DOMINANT: Mapping[str, str] = {"tcp": "connect", "quic": "receive"}


def truncated_percent(part: int, whole: int) -> float:
    """Returns the share in percent, truncated after two decimals as in the paper; `whole` is above 0."""
    return (10_000 * part // whole) / 100


def published_cell(metric: str, cache: str, configuration: Configuration) -> tuple[float, int, int]:
    """Returns a printed cell of table III: percent, pages faster over QUIC, and pages."""
    pages, better = COUNTS[metric, cache]
    return truncated_percent(better[configuration.number - 1], pages), better[configuration.number - 1], pages
