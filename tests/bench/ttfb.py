"""One round trip: on DSL, the time to first byte of TCP+ minus that of QUIC, against the network's 24 ms.

TCP and TLS 1.3 take two round trips before the request, QUIC takes one. Needs root and Chromium.
"""

import json
import os
import statistics
import sys
from pathlib import Path

import testbed

INSIDE = Path(__file__).with_name("ttfb_inside.py")
STACKS = {"TCP+": "tcp", "QUIC": "quic"}
RUNS = 15
SITE, NETWORK, RTT_MS, WITHIN_MS = "garden", "DSL", 24.0, 6.0


def first_byte_ms(stack: str, seed: int) -> float:
    """Milliseconds from navigation start to the first byte of the page, in a fresh Chromium."""
    inside = [sys.executable, str(INSIDE), STACKS[stack]]
    output = testbed.run(stack, inside, testbed.fixture(SITE, NETWORK), seed=seed)
    measured: float = json.loads(output)["first_byte_ms"]
    return measured


def main() -> None:
    if os.geteuid() != 0:
        raise SystemExit("This bench needs root for network namespaces.")
    times: dict[str, list[float]] = {stack: [] for stack in STACKS}
    for run in range(1, RUNS + 1):
        for stack, measured in times.items():
            measured.append(first_byte_ms(stack, run))
            print(f"  run {run} {stack:5s} {measured[-1]:7.1f} ms", file=sys.stderr)
    medians = {stack: statistics.median(measured) for stack, measured in times.items()}
    difference_ms = medians["TCP+"] - medians["QUIC"]
    ok = abs(difference_ms - RTT_MS) <= WITHIN_MS
    shown = ", ".join(f"{stack} {median:.1f} ms" for stack, median in medians.items())
    print(f"time to first byte on {NETWORK}, median of {RUNS}: {shown}")
    print(
        f"TCP+ minus QUIC {difference_ms:.1f} ms = {difference_ms / RTT_MS:.2f} of one round trip of {RTT_MS:.0f} ms"
        f" ({'within' if ok else 'NOT within'} {WITHIN_MS:.0f} ms)"
    )
    sys.exit(0 if ok else 1)


if __name__ == "__main__":
    main()
