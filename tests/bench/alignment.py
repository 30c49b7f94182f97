"""Are the films of two arms aligned? The mean error of the films' zero over TCP+ and QUIC, on DSL and LTE.

Each run's zero is checked twice: the clock that stamps frames against the browser's, and the film's first change
against the browser's own first paint, to half a frame a run. What differs between the arms would shift every visual
metric. Bound: 3 ms for the mean difference, by either measure, over both networks. `alignment.py RUNS` takes that many
runs an arm and network. Needs root, Chromium and ffmpeg.
"""

import sys
import tempfile
from pathlib import Path
from typing import Any

import films

from eyelevel_stats.arms import Difference, difference

SITE = "garden"
NETWORKS = ("DSL", "LTE")
NEW, REFERENCE = "QUIC", "TCP+"
RUNS = 30
MOST_MS = 3.0
CAMPAIGN = f"""
contract = "eyelevel/campaign/1"
name = "bench-alignment"
seed = 9
runs = %d
quiet_ms = 500
networks = ["{NETWORKS[0]}", "{NETWORKS[1]}"]
stacks = ["{REFERENCE}", "{NEW}"]
pairs = []
"""
MEASURES = {"by the clocks": "clock_error_ms", "by the first paint": "zero_error_ms"}


def compared(takes: list[dict[str, Any]], key: str, networks: tuple[str, ...]) -> Difference | None:
    def errors(network: str, stack: str) -> list[float]:
        own_takes = (take for take in takes if (take["network"]["name"], take["stack"]["name"]) == (network, stack))
        return [take["film"][key] for take in own_takes if take["film"][key] is not None]

    return difference([(errors(network, NEW), errors(network, REFERENCE)) for network in networks])


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    with tempfile.TemporaryDirectory() as folder:
        takes = [
            films.read(take, "take.json") for take in films.capture(Path(folder), CAMPAIGN % runs + films.site(SITE))
        ]
    ok = True
    for networks in [*((network,) for network in NETWORKS), NETWORKS]:
        for name, key in MEASURES.items():
            found = compared(takes, key, networks)
            if found is None or found.ci_low is None or found.ci_high is None:
                raise SystemExit(f"Too few runs on {' and '.join(networks)} tell their error {name}.")
            print(
                f"{' and '.join(networks):11s} {name:18s} {NEW} - {REFERENCE}: {found.difference:+6.2f} ms"
                f" ({found.ci_low:+.2f} to {found.ci_high:+.2f}), floor {found.floor:.2f} ms,"
                f" {found.n_new} and {found.n_reference} runs",
                flush=True,
            )
            if networks == NETWORKS:
                ok &= abs(found.difference) <= MOST_MS
    print(f"mean error between arms over both networks {'within' if ok else 'NOT within'} {MOST_MS:g} ms")
    sys.exit(0 if ok else 1)


if __name__ == "__main__":
    main()
