"""Parity under loss: the same downloads over both transports with the same congestion control, as paired ratios.

Downloads one file over a warm connection in Chromium by `eyelevel download`, QUIC against TCP+ and QUIC+BBR against
TCP+BBR, in turn, on four lossy networks. The n-th downloads of a pair have the same random seed of losses. Prints the
geometric mean of the ratios with its 95 % interval. Bound: no ratio beyond 15 % whose interval excludes 1. QUIC may be
somewhat faster: it has no ambiguous retransmissions and more acknowledgement ranges. Downloads that are already in the
folder `--out` are not repeated. Needs root and Chromium.
"""

import argparse
import csv
import json
import subprocess
import sys
from collections import defaultdict
from math import log
from pathlib import Path

from ratios import Ratio, ratio

KEPT = Path(__file__).parents[2] / "var" / "bench" / "loss"
PAIRS = (("QUIC", "TCP+"), ("QUIC+BBR", "TCP+BBR"))
# the queues of the two that the paper does not have are those of DSL and LTE
NETWORKS = {
    "short": {"up_mbps": 25, "down_mbps": 25, "rtt_ms": 24, "loss": 0.01, "queue_ms": 12},
    "long": {"up_mbps": 10, "down_mbps": 10, "rtt_ms": 100, "loss": 0.03, "queue_ms": 200},
    "DA2GC": None,
    "MSS": None,
}
SIZES_BYTES = {"MSS": (100_000, 300_000)}
USUAL_BYTES = (100_000, 1_000_000)
RUNS = 31
MOST = 1.15


def downloaded(network: str, size_bytes: int, stacks: list[str], runs: int, out: Path) -> dict[str, dict[int, float]]:
    """Durations in ms by stack and run."""
    folder = out / f"{network}-{size_bytes}"
    table = folder / "runs.csv"
    if not table.is_file() or len(durations(table)) < len(stacks):
        folder.mkdir(parents=True, exist_ok=True)
        definition = NETWORKS[network]
        named = network
        if definition is not None:
            file = folder / f"{network}.json"
            file.write_text(json.dumps({"name": network} | definition))
            named = str(file)
        command = [sys.executable, "-m", "eyelevel", "download", "--bytes", str(size_bytes), "--network", named]
        command += [part for stack in stacks for part in ("--stack", stack)]
        subprocess.run([*command, "--runs", str(runs), "--out", str(folder)], check=True)
    return durations(table)


def durations(table: Path) -> dict[str, dict[int, float]]:
    found: dict[str, dict[int, float]] = defaultdict(dict)
    with table.open(newline="") as file:
        for row in csv.DictReader(file):
            found[row["stack"]][int(row["run"])] = float(row["duration_ms"])
    return found


def compared(found: dict[str, dict[int, float]], new: str, reference: str) -> Ratio | None:
    """How many times as long `new` takes."""
    both = sorted(found[new].keys() & found[reference].keys())
    return ratio([log(found[new][run]) - log(found[reference][run]) for run in both])


def is_beyond(ratio: Ratio) -> bool:
    """A difference of more than 15 % whose interval excludes 1."""
    return not 1 / MOST <= ratio.factor <= MOST and not ratio.low <= 1 <= ratio.high


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--network", choices=list(NETWORKS), action="append")
    options.add_argument("--runs", type=int, default=RUNS)
    options.add_argument("--out", type=Path, default=KEPT)
    options.add_argument("--also", action="append", default=[], help="a further stack, against TCP+; no bound")
    chosen = options.parse_args()
    beyond = 0
    for network in chosen.network or NETWORKS:
        for size_bytes in SIZES_BYTES.get(network, USUAL_BYTES):
            stacks = [stack for pair in PAIRS for stack in pair] + chosen.also
            found = downloaded(network, size_bytes, stacks, chosen.runs, chosen.out)
            for new, reference in (*PAIRS, *((stack, "TCP+") for stack in chosen.also)):
                comparison = compared(found, new, reference)
                print(f"{network}, {size_bytes / 1000:g} kB: {new} over {reference}: {comparison}", flush=True)
                beyond += comparison is not None and new not in chosen.also and is_beyond(comparison)
    print(f"{beyond} ratios are beyond {MOST:g} and exclude 1 (bound: none)")
    return 1 if beyond else 0


if __name__ == "__main__":
    sys.exit(main())
