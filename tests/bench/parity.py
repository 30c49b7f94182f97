"""Server parity, as in the paper's figure 2: the same downloads over QUIC and TCP+, as paired ratios.

Downloads of 10 kB to 10 MB in Chromium on warm connections, without random loss, on DSL, at the fastest rate with
parity, and at 100, 300 and 1000 Mbit/s. A round is one connection per stack and network; stacks and sizes change their
order. Its ratio is the median of QUIC's downloads over the median of TCP+'s. Prints, by network and size, the geometric
mean of the rounds' ratios with its 95 % interval; the busiest threads, for where one uses a whole processor, it is the
limit and not the stack; and the packets that the browser's UDP socket lost, since the browser was not given a processor
in time. Bound: the whole interval within 10 % on networks up to the fastest rate with parity. Needs root and Chromium,
and a quiet machine.
"""

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log
from pathlib import Path
from typing import Any, NamedTuple

from boxes import boxes
from ratios import Ratio, ratio

import testbed
from eyelevel_core.comparability.parity import FASTEST_MBPS

INSIDE = Path(__file__).with_name("parity_inside.py")
WAYS = {"TCP+": "tcp", "QUIC": "quic"}
SIZES_BYTES = (10_000, 100_000, 1_000_000, 10_000_000)


class Link(NamedTuple):
    """A network of the bench, without random loss."""

    down_mbps: float
    up_mbps: float
    rtt_ms: float
    queue_ms: float

    def __str__(self) -> str:
        return f"{self.down_mbps:g} Mbit/s, round trip {self.rtt_ms:g} ms, queue {self.queue_ms:g} ms"


# the others have a shorter round trip than any network of docs/explanation/networks.md, and a queue that seldom
# overflows
DSL = Link(25, 5, 24, 12)
LINKS = (DSL, *(Link(mbps, mbps, 10, 100) for mbps in sorted({FASTEST_MBPS, 100.0, 300.0, 1000.0})))
MOST = 1.10
ROUNDS = 8
DOWNLOADS = 5
LIMIT_S = 170


@dataclass
class Measured:
    """Of one network and size: by stack, the median ms of each round, all ms, and shares of a processor by thread."""

    medians_ms: dict[str, list[float]] = field(default_factory=lambda: {stack: [] for stack in WAYS})
    times_ms: dict[str, list[float]] = field(default_factory=lambda: {stack: [] for stack in WAYS})
    busy: dict[str, dict[str, float]] = field(default_factory=lambda: {stack: {} for stack in WAYS})
    lost: int = 0

    def add(self, stack: str, times_ms: Sequence[float], *, busy: dict[str, float], lost: int) -> None:
        self.medians_ms[stack].append(statistics.median(times_ms))
        self.times_ms[stack] += times_ms
        for thread, share in busy.items():
            self.busy[stack][thread] = self.busy[stack].get(thread, 0.0) + share
        self.lost += lost

    def busiest(self, stack: str) -> str:
        """The three busiest threads, and how much of a processor each used."""
        rounds = len(self.medians_ms[stack])
        most = sorted(self.busy[stack].items(), key=lambda entry: -entry[1])[:3]
        return ", ".join(f"{name} {share / rounds:.0%}" for name, share in most)

    def ratio(self) -> Ratio:
        """QUIC over TCP+, from the medians of the rounds."""
        pairs = zip(self.medians_ms["QUIC"], self.medians_ms["TCP+"], strict=True)
        found = ratio([log(quic / tcp) for quic, tcp in pairs])
        if found is None:
            raise SystemExit("One round has no interval; give --rounds 2 or more.")
        return found


def record(kind: str, path: str, body: bytes) -> bytes:
    """One response of a WARC file."""
    head = f"HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {len(body)}\r\n\r\n".encode()
    fields = (
        "WARC/1.1",
        "WARC-Type: response",
        f"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{len(body):012d}>",
        "WARC-Date: 2026-01-01T00:00:00Z",
        f"WARC-Target-URI: https://parity.test{path}",
        "WARC-IP-Address: 192.0.2.80",
        "Content-Type: application/http; msgtype=response",
        f"Content-Length: {len(head) + len(body)}",
    )
    return "\r\n".join(fields).encode() + b"\r\n\r\n" + head + body + b"\r\n\r\n"


def recording(sizes: Sequence[int]) -> bytes:
    page = record("text/html", "/", b"<!doctype html><title>parity</title>")
    files = (record("application/octet-stream", f"/{size}", bytes(range(250)) * (size // 250)) for size in sizes)
    return page + b"".join(files)


def measure(stack: str, link: Link, sizes: Sequence[int], downloads: int, seed: int) -> dict[str, Any]:
    """What `parity_inside.py` prints for one connection over the stack."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "site.warc").write_bytes(recording(sizes))
        (folder / "network.json").write_text(json.dumps({"name": f"{link.down_mbps:g}", **link._asdict()}))
        asked = ["--recording", str(folder / "site.warc"), "--network-file", str(folder / "network.json")]
        inside = [sys.executable, str(INSIDE), WAYS[stack], str(downloads), *(f"/{size}" for size in sizes)]
        answer: dict[str, Any] = json.loads(testbed.run(stack, inside, asked, seed=seed, limit_s=LIMIT_S))
        return answer


def all_rounds(
    links: Sequence[Link], sizes: Sequence[int], *, rounds: int, downloads: int
) -> dict[Link, dict[int, Measured]]:
    found = {link: {size: Measured() for size in sizes} for link in links}
    order = random.Random(1)
    for number in range(1, rounds + 1):
        for link in links:
            shuffled = order.sample(sizes, len(sizes))
            for stack in sorted(WAYS, reverse=bool(number % 2)):
                answer = measure(stack, link, shuffled, downloads, number)
                for size in sizes:
                    times_ms, busy, lost = (answer[name][f"/{size}"] for name in ("times_ms", "busy", "lost"))
                    found[link][size].add(stack, times_ms, busy=busy, lost=lost)
            print(f"  round {number} of {rounds}: {link.down_mbps:g} Mbit/s", file=sys.stderr, flush=True)
    return found


def shown(link: Link, found: dict[int, Measured]) -> bool:
    """Prints one network; whether it is within the bound, where it has one."""
    bounded = link.down_mbps <= FASTEST_MBPS
    ok = True
    print(f"{link}; medians in ms, QUIC over TCP+ (95 %)")
    for size, measured in found.items():
        quotient = measured.ratio()
        within = quotient.inside(MOST)
        ok &= within or not bounded
        medians = ", ".join(f"{stack} {statistics.median(measured.times_ms[stack]):.1f}" for stack in WAYS)
        verdict = ("within" if within else "NOT within") + f" {MOST:g} times" if bounded else "no bound"
        lost = f"; {measured.lost} packets lost at the browser's socket" if measured.lost else ""
        print(f"{size // 1000:8d} kB  {medians}  {quotient}; {verdict}{lost}")
        for stack in WAYS:
            print(f"             {stack}: {measured.busiest(stack)}")
    return ok


def drawn(found: dict[Link, dict[int, Measured]], rounds: int, downloads: int) -> str:
    """The downloads at the fastest rate with parity, as SVG."""
    link = next(link for link in found if link.down_mbps == FASTEST_MBPS)
    panels = {f"{size // 1000} kB": measured.times_ms for size, measured in found[link].items()}
    title = f"{rounds * downloads} downloads each at {link.down_mbps:g} Mbit/s and {link.rtt_ms:g} ms, in ms"
    return boxes(title, panels)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--downloads", type=int, default=DOWNLOADS, help="per round, size and stack")
    parser.add_argument("--mbps", type=float, action="append", help="only this link; may be repeated")
    parser.add_argument("--size", type=int, action="append", help="only this size in bytes; may be repeated")
    parser.add_argument("--figure", type=Path, help="where to draw the fastest network with parity, as SVG")
    asked = parser.parse_args()
    if os.geteuid() != 0:
        raise SystemExit("This bench needs root for network namespaces.")
    if asked.figure is not None and FASTEST_MBPS not in (asked.mbps or [FASTEST_MBPS]):
        parser.error(f"--figure draws {FASTEST_MBPS:g} Mbit/s; give --mbps {FASTEST_MBPS:g}, too.")
    links = [link for link in LINKS if asked.mbps is None or link.down_mbps in asked.mbps]
    found = all_rounds(links, asked.size or SIZES_BYTES, rounds=asked.rounds, downloads=asked.downloads)
    verdicts = [shown(link, sizes) for link, sizes in found.items()]
    if asked.figure is not None:
        asked.figure.write_text(drawn(found, asked.rounds, asked.downloads))
    sys.exit(0 if all(verdicts) else 1)


if __name__ == "__main__":
    main()
