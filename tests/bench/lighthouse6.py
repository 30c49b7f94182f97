"""Lighthouse 6.0.0, the instrument of Saif et al. 2020, as a suspect: does the paper's gap come from its simulator?

The paper has a score of 65 over HTTP/3 and 87 over HTTP/2, and does not say how its Lighthouse throttled. By default
version 6 simulates, and its simulator takes only the protocol `h2` for HTTP/2, so that it simulates HTTP/3 as HTTP/1.1
with six connections. Here the real Lighthouse loads the fixture page through the testbed, without limits of the
network, over HTTP/2 and HTTP/3, and scores each load three times: as observed; simulated; and simulated with its
responses over `h3` relabelled as `h2`. A second load is throttled by DevTools. Metrics of all rounds are averaged and
then scored, as in the paper. Needs root, Chromium, npm and node.

    tests/bench/lighthouse6.py [--rounds N] [--stack STACK]... [--form mobile|desktop]... [RECORDING...]
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from relabelled import relabelling

import testbed
from eyelevel.compare.saif2020.score import FORM_FACTORS, WEIGHTS, FormFactor, score, score_of_means
from eyelevel_stats.arms import difference

HOME = Path(__file__).with_name("lighthouse6")
INSIDE = Path(__file__).with_name("lighthouse6_inside.py")
FIXTURES = testbed.REPOSITORY / "fixtures"
UNLIMITED = {"name": "unlimited", "up_mbps": "unlimited", "down_mbps": "unlimited", "rtt_ms": 0}
COLUMNS = ("observed", "devtools", "simulated", "relabelled")
PAPER = {"h2": 87, "h3": 65}
ROUNDS = 5
LIMIT_S = 150
Metrics = Mapping[str, float]


def install() -> None:
    """Get what the lock file names, once, without install scripts."""
    if shutil.which("npm") is None:
        raise SystemExit("This bench needs npm to install Lighthouse.")
    if not (HOME / "node_modules" / "lighthouse").exists():
        command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(HOME)]
        if subprocess.run(command, stdout=sys.stderr, check=False).returncode != 0:
            raise SystemExit("Lighthouse could not be installed; npm's own words stand above.")


def audited(recording: Path, stack: str, form: str, throttling: str, seed: int) -> dict[str, Any]:
    """What audit.js prints of one load."""
    with tempfile.TemporaryDirectory() as folder:
        network = Path(folder) / "network.json"
        network.write_text(json.dumps(UNLIMITED))
        inside = [sys.executable, str(INSIDE), folder, form, throttling]
        asked = ["--recording", str(recording), "--network-file", str(network)]
        found: dict[str, Any] = json.loads(testbed.run(stack, inside, asked, seed=seed, limit_s=LIMIT_S))
        return found


def rounds_of(recording: Path, stack: str, form: FormFactor, rounds: int) -> dict[str, dict[int, Metrics]]:
    """By column and round, the metrics of each load that has all of the score."""
    found: dict[str, dict[int, Metrics]] = {column: {} for column in COLUMNS}
    for seed in range(1, rounds + 1):
        for throttling in ("none", "devtools"):
            for column, told in audited(recording, stack, form, throttling, seed).items():
                if told["errors"] or None in told["metrics"].values():
                    print(f"  {stack} {form} {column}: failed: {'; '.join(told['errors'])}", flush=True)
                    continue
                found[column][seed] = told["metrics"]
                # the score as Lighthouse computes it, which is that of mobile, checks ours
                if form == "mobile" and abs(score(told["metrics"], form) - 100 * told["score"]) > 1:
                    raise SystemExit(f"Lighthouse scores {told['score']}, our function {score(told['metrics'], form)}.")
                if seed == 1:
                    print(f"  {stack} {form} {column}: responses by protocol {told['protocols']}", flush=True)
    return found


def shown(stack: str, form: FormFactor, found: Mapping[str, Mapping[int, Metrics]]) -> None:
    for column, rounds in found.items():
        loads = list(rounds.values())
        if not loads:
            print(f"  {stack:12s} {form:8s} {column:11s} no load")
            continue
        means = {key: statistics.fmean(one[key] for one in loads) for key in WEIGHTS}
        scores = [score(one, form) for one in loads]
        times = "  ".join(f"{key.upper()} {means[key]:.0f}" for key in WEIGHTS if key != "cls_sum")
        print(
            f"  {stack:12s} {form:8s} {column:11s} score {score_of_means(loads, form)} ({min(scores)} to {max(scores)} "
            f"of {len(loads)})  {times}  CLS {means['cls_sum']:.4f}",
            flush=True,
        )


def tell_relabelling(stack: str, form: FormFactor, found: Mapping[str, Mapping[int, Metrics]]) -> None:
    rise = relabelling(form, found)
    if rise is None:
        return
    known = rise.ci_low is not None and rise.ci_high is not None
    interval = f"95 % interval {rise.ci_low:.1f} to {rise.ci_high:.1f}" if known else "no interval"
    loads = len(found["simulated"].keys() & found["relabelled"].keys())
    print(
        f"  {stack:12s} {form:8s} relabelled - simulated of one load: {rise.difference:.1f} points ({interval}, "
        f"{loads} loads)",
        flush=True,
    )


def gaps(
    name: str,
    form: FormFactor,
    h2: Mapping[str, Mapping[int, Metrics]],
    h3: Mapping[str, Mapping[int, Metrics]],
) -> None:
    """How far HTTP/2 is ahead by column, and whether the interval of the loads holds the paper's gap."""
    for column in COLUMNS:
        own, others = list(h2[column].values()), list(h3[column].values())
        ends = score_of_means(own, form), score_of_means(others, form)
        loads = difference([([score(one, form) for one in own], [score(one, form) for one in others])])
        if loads is None or ends[0] is None or ends[1] is None:
            continue
        interval, inside = "no interval", "unknown"
        if loads.ci_low is not None and loads.ci_high is not None:
            interval = f"95 % interval {loads.ci_low:.1f} to {loads.ci_high:.1f}"
            inside = "yes" if loads.ci_low <= PAPER["h2"] - PAPER["h3"] <= loads.ci_high else "no"
        print(
            f"  {name:12s} {form:8s} {column:11s} gap {ends[0] - ends[1]} (loads {loads.difference:.1f}, {interval}), "
            f"the paper's 22 inside: {inside}",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--stack", action="append", help="may be repeated, HTTP/2 first; default: TCP, QUIC")
    parser.add_argument("--form", action="append", choices=FORM_FACTORS, help="may be repeated; default: both")
    parser.add_argument("recordings", nargs="*", type=Path)
    asked = parser.parse_args()
    if os.geteuid() != 0:
        raise SystemExit("This bench needs root for network namespaces.")
    install()
    recordings = asked.recordings or [FIXTURES / f"saif2020-{name}.warc.gz" for name in ("alike", "large")]
    print(f"The paper: {PAPER['h3']} over HTTP/3, {PAPER['h2']} over HTTP/2. Means over {asked.rounds} loads, in ms:")
    for recording in recordings:
        print(recording.name.removesuffix(".warc.gz"))
        for form in asked.form or FORM_FACTORS:
            found = {}
            for stack in asked.stack or ("TCP", "QUIC"):
                found[stack] = rounds_of(recording.resolve(), stack, form, asked.rounds)
                shown(stack, form, found[stack])
                tell_relabelling(stack, form, found[stack])
            reference, *others = found
            for stack in others:
                gaps(f"{reference} - {stack}", form, found[reference], found[stack])


if __name__ == "__main__":
    main()
