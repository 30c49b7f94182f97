"""Does the film slow the page down, and one stack more than another? PLT with and without it, per stack, in turn.

Each pair of loads is filmed once and not the other time, the stacks in turn. Bounds: per stack, PLT with the film over
PLT without is at most 1.01 (geometric mean), and its whole 95 % interval lies within 3 %; so does the interval of that
ratio over QUIC against TCP+, and the same with BBR. It takes as many pairs as these intervals need, at most as many as
`--minutes` allow, and says how many would do. With `--kept FILE` the pairs are stored after each round with the
SHA-256 of the testbed and the recorder, and a later call of the same builds goes on with them. Needs root, Chromium and
ffmpeg.

    tests/bench/film_cost.py [--minutes 60] [--pairs 15] [--most-pairs 400] [--kept FILE] [--device phone]
                             [STACK...]
"""

import argparse
import os
import sys
import time
from collections.abc import Mapping, Sequence
from math import log
from pathlib import Path

import kept_pairs
import loads
from ratios import Ratio, between, least_half_width, ratio

import testbed
from eyelevel.built import RECORDER, TESTBED
from eyelevel_core.contracts import sha256_of_file, sha256_of_json
from eyelevel_core.model.device import DESKTOP, DEVICES, Device

STACKS = ("TCP", "TCP+", "TCP+BBR", "QUIC", "QUIC+BBR")
ARMS = (("QUIC", "TCP+"), ("QUIC+BBR", "TCP+BBR"))
SITE, NETWORK = "garden", "DSL"
# the bounds: what the film may cost as an estimate, and what the interval may reach
MOST, INTERVAL = 1.01, 1.03
# narrow enough for the interval of an estimate that is within its bound
HALF_WIDTH = least_half_width(INTERVAL, MOST)


def log_ratio(stack: str, number: int, device: Device) -> float:
    """Of one pair of loads; which comes first alternates."""
    asked = testbed.fixture(SITE, NETWORK)
    times = {
        filmed: loads.plt_ms(stack, asked, seed=number, filmed=filmed, device=device)
        for filmed in ((True, False) if number % 2 else (False, True))
    }
    return log(times[True] / times[False])


def ratios_of(logs: Mapping[str, Sequence[float]]) -> dict[str, Ratio]:
    """The ratios of each stack and of each pair of arms, by name; those that are known."""
    rows = {stack: ratio(stack_logs) for stack, stack_logs in logs.items()}
    for new, reference in ARMS:
        if {new, reference} <= set(logs):
            rows[f"{new} against {reference}"] = between(logs[new], logs[reference])
    return {name: row for name, row in rows.items() if row is not None}


def precise(rows: Mapping[str, Ratio]) -> bool:
    return bool(rows) and all(row.half_width <= HALF_WIDTH for row in rows.values())


def tell(rows: Mapping[str, Ratio]) -> bool:
    """Print each row with its verdict; whether all are within their bounds."""
    ok = True
    for name, row in rows.items():
        estimate = "against" in name or row.factor <= MOST
        within = estimate and row.inside(INTERVAL)
        ok &= within
        why = "" if estimate else f", the estimate above {MOST:g}"
        needed = row.pairs_needed(HALF_WIDTH)
        more = "" if row.half_width <= HALF_WIDTH else f"; an interval narrow enough needs about {needed} pairs"
        print(f"  {name:25s} {row}: {'within' if within else 'NOT within'} {100 * (INTERVAL - 1):.0f} %{why}{more}")
    return ok


def main() -> None:
    if os.geteuid() != 0:
        raise SystemExit("This bench needs root for network namespaces.")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stacks", nargs="*", metavar="STACK", help="of these stacks only")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--pairs", type=int, default=15, help="at least so many per stack")
    parser.add_argument("--most-pairs", type=int, default=400)
    parser.add_argument("--kept", type=Path, metavar="FILE", help="go on with the pairs of this file, and store them")
    parser.add_argument("--device", choices=list(DEVICES), default=DESKTOP.name, help="what the page is loaded on")
    asked = parser.parse_args()
    device = DEVICES[asked.device]
    logs: dict[str, list[float]] = {stack: [] for stack in asked.stacks or STACKS}
    builds = {"testbed": sha256_of_file(TESTBED.find()), "recorder": sha256_of_file(RECORDER.find())}
    builds |= {} if device == DESKTOP else {"device": sha256_of_json(device.as_json())}
    if asked.kept and asked.kept.exists():
        logs = kept_pairs.read(asked.kept, builds)
    ends = time.monotonic() + 60 * asked.minutes
    for number in range(1 + min(map(len, logs.values())), asked.most_pairs + 1):
        for stack, stack_logs in logs.items():
            stack_logs.append(log_ratio(stack, number, device))
        if asked.kept:
            kept_pairs.write(asked.kept, builds, logs)
        # by the width alone, never by where the interval lies: to stop for that would favour a verdict
        if number > 1 and (time.monotonic() > ends or (number >= asked.pairs and precise(ratios_of(logs)))):
            break
    rows = ratios_of(logs)
    if not rows:
        raise SystemExit("Too few pairs; allow more minutes.")
    print(f"PLT of {SITE} on {NETWORK}, {device.words}, with its film over PLT without (95 % interval)")
    sys.exit(0 if tell(rows) else 1)


if __name__ == "__main__":
    main()
