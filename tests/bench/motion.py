"""Metrics of a page with motion that never ends over those of its still twin, in paired runs.

The fixture page has a CSS animation, a carousel, an animated GIF, a looping video and a countdown; its twin loads the
same bytes and stands still (fixtures/motion_pages.py). Both are probed, then captured in turn. Bound: the 90 %
interval of the ratio of each frozen metric lies within 5 %. FCP and LCP are the browser's own and have no bound: they
tell whether it paints the moving page later itself. A third page, which only loads, slowly and in every way
that could be taken for motion, must have an empty mask.

On DSL the page has loaded after 0.28 s, of which one frame of a screen is 6 %.

    .venv/bin/python tests/bench/motion.py [RUNS] [--network LTE]       31 runs by default: about 35 minutes
"""

import argparse
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import exp, log, sqrt
from pathlib import Path
from statistics import fmean, median, stdev
from typing import Any

from films import REPOSITORY, capture, read
from scipy import stats

sys.path.insert(0, str(REPOSITORY / "fixtures"))
from motion_pages import write

RUNS = 31
CONFIDENCE, MOST = 0.90, 1.05
# a run that other programs disturbed in all its attempts has no take
LEAST_TAKEN = 0.9
METRICS = ("fvc_ms", "si_ms", "vc85_ms", "lvc_ms")
BROWSERS = ("fcp_ms", "lcp_ms", "plt_ms")
PLAIN = ("si_plain_ms", "vc85_plain_ms", "lvc_plain_ms")
NAMES = ("moving", "still", "loading")
HOURS = 3600.0
CAMPAIGN = """
contract = "eyelevel/campaign/1"
name = "motion"
seed = 7
runs = {runs}
networks = ["{network}"]
stacks = ["{stack}"]
"""


def campaign(folder: Path, names: Iterable[str], *, runs: int, network: str, stack: str) -> str:
    sites = [f'[[sites]]\nname = "{name}"\nrecording = "{folder / name}.warc.gz"\n' for name in names]
    return CAMPAIGN.format(runs=runs, network=network, stack=stack) + "\n".join(sites)


def interval(logs: Sequence[float]) -> tuple[float, float, float]:
    """The geometric mean of ratios with its interval, by Student's t."""
    half = float(stats.t.ppf((1 + CONFIDENCE) / 2, len(logs) - 1)) * stdev(logs) / sqrt(len(logs))
    middle = fmean(logs)
    return exp(middle), exp(middle - half), exp(middle + half)


def probed(folder: Path, name: str) -> dict[str, Any]:
    return dict(read(folder, f"{name}.mask-1280x720.json"))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("runs", nargs="?", type=int, default=RUNS)
    parser.add_argument("--network", default="LTE")
    asked = parser.parse_args()
    runs = asked.runs
    failed = []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        write(folder)
        text = campaign(folder, NAMES, runs=runs, network=asked.network, stack="QUIC")
        takes = capture(folder, text, options=["--no-calibrate"], limit_s=2 * HOURS, probed=True, incomplete=True)
        for name in NAMES:
            mask = probed(folder, name)
            print(f"{name}: {mask['masked_share']:.1%} masked in {len(mask['regions'])} regions")
            if bool(mask["regions"]) != (name == "moving"):
                failed.append(f"the mask of {name}")
        values = defaultdict(dict)  # type: ignore[var-annotated]
        for take in takes:
            value = read(take, "take.json")
            values[value["site"]][value["run"]] = value
        settled = {name: sum(film["outcome"] == "settled" for film in values[name].values()) for name in NAMES}
        taken = {name: len(values[name]) for name in NAMES}
        print(f"settled: {settled}, of {taken} takes of {runs} runs each")
        failed += [f"{name} settled" for name in NAMES if settled[name] < taken[name]]
        failed += [f"runs of {name}" for name in NAMES if taken[name] < LEAST_TAKEN * runs]
        for metric in (*METRICS, *BROWSERS, *PLAIN):
            pairs = [
                (values["moving"][run]["metrics"][metric], values["still"][run]["metrics"][metric])
                for run in sorted(values["moving"].keys() & values["still"].keys())
            ]
            pairs = [(moving, still) for moving, still in pairs if moving and still]
            known = [log(moving / still) for moving, still in pairs]
            if len(known) < 2:
                print(f"{metric}: too few values")
                continue
            ratio, low, high = interval(known)
            moving_ms, still_ms = (median(side) for side in zip(*pairs, strict=True))
            bound = metric in METRICS
            ok = not bound or (low >= 1 / MOST and high <= MOST)
            print(
                f"{metric}: moving over still {ratio:.3f} ({low:.3f} to {high:.3f}, 90 %), {len(known)} pairs, "
                f"medians {moving_ms:.0f} and {still_ms:.0f} ms"
                f"{', bound 5 %' if bound else ''}{'' if ok else ' OUT OF BOUND'}"
            )
            if not ok:
                failed.append(metric)
    if failed:
        raise SystemExit(f"Out of bounds: {', '.join(failed)}.")


if __name__ == "__main__":
    main()
