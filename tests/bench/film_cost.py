"""Does the film slow the page down, and one stack more than another? PLT with and without it, per stack, in turn.

Each pair of runs is filmed once and not the other time, the stacks in turn. Bounds: per stack, PLT with the film at
most 1.15 times that without (geometric mean); between TCP+ and QUIC, the arms that clips compare, those ratios differ
by at most 10 %. Each is printed with its 95 % interval. `film_cost.py RUNS [STACK...]` takes that many pairs, of these.
Needs root, Chromium and ffmpeg.
"""

import json
import os
import sys
import tempfile
from collections.abc import Sequence
from math import exp, log
from pathlib import Path

import testbed
from eyelevel_stats.arms import Difference, difference

INSIDE = Path(__file__).with_name("film_cost_inside.py")
STACKS = ("TCP", "TCP+", "TCP+BBR", "QUIC", "QUIC+BBR")
ARMS = ("QUIC", "TCP+")
SITE, NETWORK, FRAME_RATE = "garden", "DSL", 60
RUNS = 15
MOST = 1.15
BETWEEN = 1.10
LIMIT_S = 60


def plt_ms(stack: str, seed: int, *, filmed: bool) -> float:
    with tempfile.TemporaryDirectory() as folder:
        inside = [sys.executable, str(INSIDE), folder, str(FRAME_RATE if filmed else 0)]
        told = testbed.run(stack, inside, testbed.fixture(SITE, NETWORK), seed=seed, limit_s=LIMIT_S)
    measured: float = json.loads(told)["plt_ms"]
    return measured


def log_ratio(stack: str, number: int) -> float:
    """Of one pair of runs; which comes first alternates."""
    times = {
        filmed: plt_ms(stack, number, filmed=filmed) for filmed in ((True, False) if number % 2 else (False, True))
    }
    return log(times[True] / times[False])


def told(found: Difference | None) -> tuple[float, str]:
    """A difference of logarithms as a factor, and in words."""
    if found is None or found.ci_low is None or found.ci_high is None:
        raise SystemExit("Too few runs; take two or more.")
    factor = exp(found.difference)
    return factor, f"{factor:.3f} times ({exp(found.ci_low):.3f} to {exp(found.ci_high):.3f})"


def against_none(ratios: Sequence[float]) -> Difference | None:
    return difference([(ratios, [0.0] * len(ratios))])


def main() -> None:
    if os.geteuid() != 0:
        raise SystemExit("This bench needs root for network namespaces.")
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    ratios: dict[str, list[float]] = {stack: [] for stack in sys.argv[2:] or STACKS}
    for number in range(1, runs + 1):
        for stack, own in ratios.items():
            own.append(log_ratio(stack, number))
    ok = True
    print(
        f"PLT of {SITE} on {NETWORK} with a film at {FRAME_RATE} frames a second over PLT without, {runs} pairs of runs"
    )
    for stack, own in ratios.items():
        factor, words = told(against_none(own))
        ok &= factor <= MOST
        print(f"  {stack:9s} {words} ({'within' if factor <= MOST else 'NOT within'} {MOST:g})")
    if set(ARMS) <= set(ratios):
        new, reference = ARMS
        factor, words = told(difference([(ratios[new], ratios[reference])]))
        within = max(factor, 1 / factor) <= BETWEEN
        ok &= within
        verdict = "within" if within else "NOT within"
        print(f"the film's cost over {new} against {reference}: {words} ({verdict} {BETWEEN:g})")
    sys.exit(0 if ok else 1)


if __name__ == "__main__":
    main()
