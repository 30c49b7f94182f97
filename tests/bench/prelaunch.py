"""Does it change a page's metrics that the next run's browser starts when the page has nearly settled?

Small campaigns of the same seed with `prelaunch` on and off, in turn: the same pages over TCP+ and QUIC with the same
losses, of which one shows a banner long after load, when the next browsers are starting. Only runs count in which a
browser began to start. Bounds: of each metric with it over that without, by the geometric mean, the whole 95 % interval
lies within 10 %; so does, within 15 %, what that is over QUIC against TCP+. `prelaunch.py SITE...` takes these sites
only. Needs root, Chromium and ffmpeg.
"""

import sys
import tempfile
from collections.abc import Sequence
from math import exp, log
from pathlib import Path
from typing import Any

import films

from eyelevel_stats.arms import Difference, difference

# wait and pairs of campaigns by site; the second's banner comes 2 s after load, just when the next browsers start
SITES = {"garden": (500, 5), "harbour": (7500, 1)}
ARMS = ("QUIC", "TCP+")
METRICS = ("plt_ms", "fvc_ms", "si_ms", "vc85_ms", "lvc_ms")
RUNS = 6
MOST, MOST_BETWEEN = 1.10, 1.15
CAMPAIGN = """
contract = "eyelevel/campaign/1"
name = "bench-prelaunch"
seed = {seed}
runs = {runs}
quiet_ms = {quiet_ms}
paired = true
networks = ["DSL"]
stacks = ["QUIC", "TCP+"]
pairs = []
prelaunch = {prelaunch}
"""
Key = tuple[str, str, int, int]


def taken(site: str, seed: int, *, prelaunch: bool) -> dict[Key, dict[str, Any]]:
    """The takes of one campaign by site, stack, seed and run."""
    campaign = CAMPAIGN.format(seed=seed, runs=RUNS, quiet_ms=SITES[site][0], prelaunch=str(prelaunch).lower())
    with tempfile.TemporaryDirectory() as folder:
        places = films.capture(Path(folder), campaign + films.site(site))
        takes = [films.read(place, "take.json") for place in places]
    return {(take["site"], take["stack"]["name"], seed, take["run"]): take for take in takes}


def words(found: Difference | None, most: float) -> tuple[bool, str]:
    if found is None or found.ci_low is None or found.ci_high is None:
        raise SystemExit("Too few runs of a page tell this metric.")
    within = -log(most) <= found.ci_low and found.ci_high <= log(most)
    interval = f"{exp(found.difference):.3f} times ({exp(found.ci_low):.3f} to {exp(found.ci_high):.3f})"
    return within, f"{interval}, {'within' if within else 'NOT within'} {most:g}"


def main() -> None:
    sites = sys.argv[1:] or list(SITES)
    takes: dict[bool, dict[Key, dict[str, Any]]] = {True: {}, False: {}}
    for site in sites:
        for seed in range(1, SITES[site][1] + 1):
            for prelaunch in (True, False) if seed % 2 else (False, True):
                takes[prelaunch] |= taken(site, seed, prelaunch=prelaunch)

    both = {key for key, take in takes[True].items() if take["next_began_ms"] is not None} & takes[False].keys()

    def ratios(metric: str, stacks: Sequence[str], site: str) -> list[float]:
        keys = [key for key in both if key[0] == site and key[1] in stacks]
        return [log(takes[True][key]["metrics"][metric] / takes[False][key]["metrics"][metric]) for key in sorted(keys)]

    late = sum(takes[True][key]["metrics"]["lvc_ms"] > takes[True][key]["next_began_ms"] for key in both)
    print(f"{len(both)} takes beside which a browser began to start; {late} of them changed after that")
    ok = late > 0 or "harbour" not in sites
    for metric in METRICS:
        within, ratio = words(
            difference([(logs := ratios(metric, ARMS, site), [0.0] * len(logs)) for site in sites]), MOST
        )
        ok &= within
        print(f"  {metric:8s} prelaunch over none: {ratio}")
        within, ratio = words(
            difference([(ratios(metric, ARMS[:1], s), ratios(metric, ARMS[1:], s)) for s in sites]), MOST_BETWEEN
        )
        ok &= within
        print(f"  {'':8s} that over {ARMS[0]} against {ARMS[1]}: {ratio}", flush=True)
    sys.exit(0 if ok else 1)


if __name__ == "__main__":
    main()
