"""Where the noise comes from: how much SI and PLT of a page vary, with one component of a capture switched at a time.

Each round captures a few runs of the recording for each variant, with the same seeds, the variants in another order
each time, until the time box is used up. Told per variant and stack: the coefficient of variation of SI and of PLT
with its 95 % interval, SI and PLT over those of the capture as it is (geometric mean of pairs with the same seed), and
medians of the shares of the processors. `--loads` adds loads without any film, and with a browser that has been there
for longer or shorter (PLT alone); `--curl` downloads over emulation and servers without a browser. A table in Markdown.
Needs root, Chromium and ffmpeg, and a quiet machine.

    tests/bench/noise.py [--recording FILE] [--network DSL] [--stacks TCP+,QUIC] [--minutes 60] [--runs 5]
                         [--quiet-ms 1000] [--seed 1] [--loads] [--curl] [VARIANT...]
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import log
from pathlib import Path
from typing import Any

import films
import loads
from noise_variants import AS_IT_IS, VARIANTS, Variant, switched
from ratios import ratio
from spread import Spread, spread

import testbed
from eyelevel.replay.binary import find_testbed

INSIDE = Path(__file__).with_name("noise_inside.py")
FIELDS = ("up_mbps", "down_mbps", "rtt_ms", "loss", "queue_ms")
SHARES = (
    "run_share",
    "capture_share",
    "prelaunched_share",
    "outside_share",
    "waiting_some_share",
    "waiting_full_share",
)
BARE = "emulation and server alone"
# of single loads: filmed or not, and for how many seconds the browser has been there before it navigates
LOADS = {
    "a load with its film": (True, loads.REST_S),
    "a load without film": (False, loads.REST_S),
    "without film, browser of 0.2 s": (False, 0.2),
    "without film, browser of 5 s": (False, 5.0),
}
# downloads of one invocation without a browser
DOWNLOADS = 10
Key = tuple[int, int]


@dataclass
class Row:
    """Of one variant and stack: values by (round, run), and what takes say of the processors."""

    si_ms: dict[Key, float] = field(default_factory=dict)
    plt_ms: dict[Key, float] = field(default_factory=dict)
    shares: list[Mapping[str, float | None]] = field(default_factory=list)


def campaign(asked: argparse.Namespace, variant: Variant, number: int) -> str:
    options = {
        "name": '"noise"',
        "seed": str(asked.seed + number),
        "runs": str(asked.runs),
        "quiet_ms": str(asked.quiet_ms),
        "stacks": json.dumps(asked.stacks.split(",")),
        "max_outside_share": "1",
    }
    lines = ['contract = "eyelevel/campaign/1"', "pairs = []"]
    if not variant.network:
        options["networks"] = json.dumps([asked.network])
    lines += [f"{name} = {value}" for name, value in {**options, **variant.options}.items()]
    if variant.network:
        listed = subprocess.run(
            [str(find_testbed()), "networks", "--network", asked.network], capture_output=True, text=True, check=True
        )
        defined = json.loads(listed.stdout)[0]["definition"]
        fields = {**{name: json.dumps(defined[name]) for name in FIELDS if name in defined}, **variant.network}
        lines += ["[networks.switched]", *(f"{name} = {value}" for name, value in fields.items() if value)]
    return "\n".join([*lines, "[[sites]]", 'name = "page"', f'recording = "{asked.recording}"', ""])


def one_round(asked: argparse.Namespace, name: str, number: int, rows: Mapping[tuple[str, str], Row]) -> None:
    """A few runs of each stack with one variant."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        with switched(VARIANTS[name], folder / "switched") as (before, environment):
            takes = films.capture(
                folder,
                campaign(asked, VARIANTS[name], number),
                before=before,
                environment=environment,
                options=("--no-calibrate",),
                limit_s=1800,
            )
        for take in (films.read(path, "take.json") for path in takes):
            row, key = rows[name, take["stack"]["name"]], (number, take["run"])
            for metric, values in (("si_ms", row.si_ms), ("plt_ms", row.plt_ms)):
                if take["outcome"] == "settled" and take["metrics"][metric]:
                    values[key] = take["metrics"][metric]
            if take["pressure"] is not None:
                row.shares.append({"idle": take["cpu_idle_share"], **take["pressure"]})


def single_loads(asked: argparse.Namespace, number: int, rows: Mapping[tuple[str, str], Row]) -> None:
    """One load of each stack and kind; which comes first alternates."""
    options = ["--recording", str(asked.recording), "--network", asked.network]
    for stack in asked.stacks.split(","):
        for name in LOADS if number % 2 else reversed(LOADS):
            filmed, rest_s = LOADS[name]
            seed = asked.seed + number
            found = loads.plt_ms(stack, options, seed=seed, filmed=filmed, rest_s=rest_s)
            rows[name, stack].plt_ms[number, 1] = found


def without_browser(asked: argparse.Namespace, number: int, rows: Mapping[tuple[str, str], Row]) -> None:
    """Downloads of the start page by curl, each over a connection of its own; HTTP/2 alone."""
    options = ["--recording", str(asked.recording), "--network", asked.network]
    for stack in asked.stacks.split(","):
        if "QUIC" in stack:
            continue
        inside = [sys.executable, str(INSIDE), str(DOWNLOADS)]
        for run, ms in enumerate(json.loads(testbed.run(stack, inside, options, seed=asked.seed + number))):
            rows[BARE, stack].plt_ms[number, run] = ms


def table(rows: Mapping[tuple[str, str], Row]) -> str:
    head = ["variant", "stack", "runs", "CV of SI", "CV of PLT", "SI over as it is", "PLT over as it is", "idle"]
    head += [name.removesuffix("_share").replace("_", " ") for name in SHARES]
    lines = [head, ["---"] * len(head)]
    for (name, stack), row in rows.items():
        base = rows.get((next(iter(LOADS)) if name in LOADS else AS_IT_IS, stack), Row())
        cells = [name, stack, str(len(row.plt_ms)), _cv(row.si_ms), _cv(row.plt_ms)]
        cells += [_over(row.si_ms, base.si_ms), _over(row.plt_ms, base.plt_ms)]
        cells += [_median(row.shares, share) for share in ("idle", *SHARES)]
        lines.append(cells)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _cv(values: Mapping[Key, float]) -> str:
    found: Spread | None = spread(list(values.values()))
    return "-" if found is None else str(found)


def _over(values: Mapping[Key, float], base: Mapping[Key, float]) -> str:
    if values is base:
        return "1"
    found = ratio([log(values[key] / base[key]) for key in values.keys() & base.keys()])
    return "-" if found is None else f"{found.factor:.3f} ({found.low:.3f} to {found.high:.3f})"


def _median(shares: Sequence[Mapping[str, Any]], name: str) -> str:
    known = [each[name] for each in shares if each[name] is not None]
    return f"{100 * statistics.median(known):.1f} %" if known else "-"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("variants", nargs="*", metavar="VARIANT", help=f"of: {', '.join(VARIANTS)} (default: all)")
    parser.add_argument("--recording", type=Path, default=films.REPOSITORY / "fixtures" / "garden.warc.gz")
    parser.add_argument("--network", default="DSL")
    parser.add_argument("--stacks", default="TCP+,QUIC")
    parser.add_argument("--minutes", type=float, default=60, help="no round begins after that")
    parser.add_argument("--runs", type=int, default=5, help="of each stack, variant and round")
    parser.add_argument("--quiet-ms", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--loads", action="store_true", help="also loads without film, with older and newer browsers")
    parser.add_argument("--curl", action="store_true", help="also downloads without a browser")
    asked = parser.parse_args()
    asked.recording = asked.recording.resolve()
    unknown = set(asked.variants) - set(VARIANTS)
    if unknown:
        raise SystemExit(f"There is no variant {', '.join(sorted(unknown))}; there are {', '.join(VARIANTS)}.")
    return asked


def main() -> None:
    if os.geteuid() != 0:
        raise SystemExit("This bench needs root for network namespaces.")
    asked = arguments()
    names = [AS_IT_IS, *(name for name in asked.variants or VARIANTS if name != AS_IT_IS)]
    rows: defaultdict[tuple[str, str], Row] = defaultdict(Row)
    begun, order = time.monotonic(), random.Random(asked.seed)
    number = 0
    while number == 0 or time.monotonic() < begun + 60 * asked.minutes:
        for name in order.sample(names, len(names)):
            one_round(asked, name, number, rows)
        if asked.loads:
            single_loads(asked, number, rows)
        if asked.curl:
            without_browser(asked, number, rows)
        number += 1
        print(f"round {number}, {(time.monotonic() - begun) / 60:.1f} min", file=sys.stderr, flush=True)
    ordered = {key: rows[key] for key in sorted(rows, key=lambda key: (_place(names, key[0]), key[1]))}
    print(f"{asked.recording.name} on {asked.network}, {number} rounds of {asked.runs} runs\n")
    print(table(ordered))


def _place(names: Sequence[str], name: str) -> int:
    return [*names, *LOADS, BARE].index(name)


if __name__ == "__main__":
    main()
