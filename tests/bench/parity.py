"""Server parity, as in the paper's figure 2: the same downloads by TCP+ and QUIC where the network is no limit.

31 downloads each of 10 kB, 100 kB, 1 MB and 10 MB in Chromium, on warm connections, at 10 ms and 1 Gbit/s without
loss; in three rounds, each with a new connection, the arms in turn and the sizes in another order. Bound: medians
within 10 % up to 1 MB. Prints a table, and which threads were busiest, for where one uses a whole processor, it is the
limit and not the stack. `parity.py FILE.svg [DOWNLOADS]` also draws it.
Needs root and Chromium.
"""

import json
import os
import random
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from boxes import boxes

import testbed

INSIDE = Path(__file__).with_name("parity_inside.py")
STACKS = {"TCP+": "tcp", "QUIC": "quic"}
SIZES_BYTES = (10_000, 100_000, 1_000_000, 10_000_000)
BOUND_UP_TO_BYTES = 1_000_000
WITHIN = 0.10
DOWNLOADS = 31
ROUNDS = 3
NETWORK = {"name": "wide", "up_mbps": 1000, "down_mbps": 1000, "rtt_ms": 10, "loss": 0, "queue_ms": 100}
LIMIT_S = 170


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


def recording() -> bytes:
    page = record("text/html", "/", b"<!doctype html><title>parity</title>")
    files = (record("application/octet-stream", f"/{size}", bytes(range(250)) * (size // 250)) for size in SIZES_BYTES)
    return page + b"".join(files)


def measure(stack: str, sizes: Sequence[int], downloads: int, folder: Path) -> dict[str, dict[int, Any]]:
    """By size: milliseconds of each counted download, and by thread the share of a processor that it used."""
    (folder / "site.warc").write_bytes(recording())
    (folder / "network.json").write_text(json.dumps(NETWORK))
    asked = ["--recording", str(folder / "site.warc"), "--network-file", str(folder / "network.json")]
    paths = [f"/{size}" for size in sizes]
    inside = [sys.executable, str(INSIDE), STACKS[stack], str(downloads), *paths]
    told = json.loads(testbed.run(stack, inside, asked, limit_s=LIMIT_S))
    return {name: {int(path.lstrip("/")): own for path, own in told[name].items()} for name in ("times_ms", "busy")}


def all_rounds(downloads: int) -> tuple[dict[str, dict[int, list[float]]], dict[str, dict[int, Counter[str]]]]:
    """By stack and size: milliseconds of each download, and of each thread the mean share of a processor."""
    measured = {stack: {size: list[float]() for size in SIZES_BYTES} for stack in STACKS}
    busy = {stack: {size: Counter[str]() for size in SIZES_BYTES} for stack in STACKS}
    order = random.Random(1)
    for number in range(ROUNDS):
        sizes = order.sample(SIZES_BYTES, len(SIZES_BYTES))
        own = (downloads + ROUNDS - 1 - number) // ROUNDS
        for stack in sorted(STACKS, reverse=bool(number % 2)):
            with tempfile.TemporaryDirectory() as folder:
                told = measure(stack, sizes, own, Path(folder))
            for size in sizes:
                measured[stack][size] += told["times_ms"][size]
                for thread, share in told["busy"][size].items():
                    busy[stack][size][thread] += share / ROUNDS
    return measured, busy


def busiest(shares: Counter[str]) -> str:
    """The three busiest threads, and how much of a processor each used."""
    found = shares.most_common(3)
    return ", ".join(f"{name} {share:.0%}" for name, share in found)


def main() -> None:
    if os.geteuid() != 0:
        raise SystemExit("This bench needs root for network namespaces.")
    figure = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    downloads = int(sys.argv[2]) if len(sys.argv) > 2 else DOWNLOADS
    measured, busy = all_rounds(downloads)
    ok = True
    network = f"{NETWORK['rtt_ms']} ms and {NETWORK['down_mbps']} Mbit/s"
    print(f"{downloads} downloads each at {network}, median (quartiles) in ms")
    for size in SIZES_BYTES:
        medians = {stack: statistics.median(measured[stack][size]) for stack in STACKS}
        ratio = medians["QUIC"] / medians["TCP+"]
        bound = size <= BOUND_UP_TO_BYTES
        within = abs(ratio - 1) <= WITHIN
        ok &= within or not bound
        shown = []
        for stack in STACKS:
            low, _, high = statistics.quantiles(measured[stack][size], n=4)
            shown.append(f"{stack} {medians[stack]:7.1f} ({low:.1f} to {high:.1f})")
        verdict = ("within" if within else "NOT within") + f" {WITHIN:.0%}" if bound else "no bound"
        print(f"{size // 1000:6d} kB  {'  '.join(shown)}  ratio {ratio:.2f} ({verdict})")
        for stack in STACKS:
            print(f"           {stack}: {busiest(busy[stack][size])}")
    if figure is not None:
        panels = {f"{size // 1000} kB": {stack: measured[stack][size] for stack in STACKS} for size in SIZES_BYTES}
        figure.write_text(boxes(f"Downloads at {network} without loss, in ms", panels))
        print(f"figure: {figure}")
    sys.exit(0 if ok else 1)


if __name__ == "__main__":
    main()
