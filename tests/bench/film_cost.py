"""Does the film slow the page down? PLT with and without it, per stack, in turn. Needs root, Chromium and ffmpeg.

film_cost.py [STACK...]: only these stacks.
"""

import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import films

TESTBED = films.REPOSITORY / "pipeline" / "testbed" / "target" / "release" / "eyelevel-testbed"
INSIDE = Path(__file__).with_name("film_cost_inside.py")
STACKS = ("TCP", "TCP+", "TCP+BBR", "QUIC", "QUIC+BBR")
SITE, NETWORK, FRAME_RATE = "garden", "DSL", 60
RUNS = 5
MOST = 1.15
LIMIT_S = 60
TRIES = 3


def plt_ms(stack: str, seed: int, *, filmed: bool) -> float:
    recording = films.REPOSITORY / "fixtures" / f"{SITE}.warc.gz"
    command = [str(TESTBED), "run", "--recording", str(recording), "--stack", stack, "--network", NETWORK]
    for _ in range(TRIES):  # the testbed voids a run whose handshake a busy machine has delayed
        with tempfile.TemporaryDirectory() as folder:
            inside = [sys.executable, str(INSIDE), folder, str(FRAME_RATE if filmed else 0)]
            done = subprocess.run(
                [*command, "--seed", str(seed), "--", *inside],
                stdout=subprocess.PIPE,
                text=True,
                check=False,
                timeout=LIMIT_S,
            )
        if done.returncode == 0:
            measured: float = json.loads(done.stdout)["plt_ms"]
            return measured
    raise SystemExit(f"Each run over {stack} ended with a status as {done.returncode}; their own words stand above.")


def main() -> None:
    if os.geteuid() != 0:
        raise SystemExit("This bench needs root for network namespaces.")
    ratios = []
    for stack in sys.argv[1:] or STACKS:
        times: dict[bool, list[float]] = {True: [], False: []}
        for run in range(1, RUNS + 1):
            for filmed in (True, False) if run % 2 else (False, True):
                times[filmed].append(plt_ms(stack, run, filmed=filmed))
        with_film, without = (statistics.median(times[filmed]) for filmed in (True, False))
        ratios.append(with_film / without)
        print(
            f"  {stack:9s} PLT with the film {with_film:6.0f} ms, without {without:6.0f} ms:"
            f" {with_film / without:.3f} times",
            flush=True,
        )
    mean = math.exp(statistics.mean(math.log(ratio) for ratio in ratios))
    ok = mean <= MOST
    print(
        f"{SITE} on {NETWORK}, medians of {RUNS}: with a film at {FRAME_RATE} frames a second PLT is {mean:.3f} times "
        f"that without, over {len(ratios)} stacks from {min(ratios):.3f} to {max(ratios):.3f}"
        f" (bound {MOST:g} for the mean)"
    )
    sys.exit(0 if ok else 1)


if __name__ == "__main__":
    main()
