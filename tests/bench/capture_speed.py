"""Runs an hour, side by side with Browsertime: same testbed, page, network, stack, metrics and wait.

Our runs are a campaign's own, from the attempt's begin until its take is in its place. Browsertime gets the
film and visual metrics that it has, at the same rate and size, and one start of its program and of the testbed for all
its runs; it ends a run when the load event is as long past as the median of our runs, looking ten times a second. Its
runs count from one page to the next; the first, while its caches are cold, does not, and nor do its start and ours.
Rounds of some runs each are taken in turn; the ratio is that of the geometric means within rounds, with its 95 %
interval. Bound, with the shorter wait: at least 6 times as many runs an hour as a lean Browsertime, which makes film
and metrics alone. What prelaunch contributes is told by runs without it. Needs root, Chromium, chromedriver, ffmpeg and
npm.

    tests/bench/capture_speed.py [--rounds 3] [--wait MS...]
"""

import argparse
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import films
import peer
from ratios import Ratio, of_rounds

from eyelevel.loads.inside.measuring.moments import medians_ms

TESTBED = films.REPOSITORY / "pipeline" / "testbed" / "target" / "release" / "eyelevel-testbed"
INSIDE = Path(__file__).with_name("browsertime_inside.py")
SITE, NETWORK, STACK = "garden", "DSL", "QUIC"
RUNS = 7
FRAME_RATE = 30  # Browsertime's
# a wait of the same length in both programs only dilutes their ratio: the bound is for a short one, which covers what
# these pages change after load; the other is a campaign's default
QUIET_MS = (500, 3000)
# whom the bound is against, and how many times as many runs an hour it asks for
LEAN, LEAST = "film and metrics alone", 6.0
# as its users get a film and metrics; and without what it makes for looking at: a film that every player shows, with a
# timer, and pictures of it (ours makes clips later)
BROWSERTIME = {
    "by default": (),
    LEAN: (
        "--videoParams.convert=false",
        "--videoParams.addTimer=false",
        "--videoParams.createFilmstrip=false",
    ),
}
NEXT_RUN = re.compile(r"Testing url .* iteration \d+")
LAST_RUN = re.compile(r"Wrote data to ")
LIMIT_S = 600
CAMPAIGN = f"""
contract = "eyelevel/campaign/1"
name = "bench-capture-speed"
seed = 5
runs = {RUNS}
quiet_ms = %d
networks = ["{NETWORK}"]
stacks = ["{STACK}"]
pairs = []
# no run of Browsertime's is void beside a busy program
max_outside_share = 1
prelaunch = %s
"""


def eyelevel(folder: Path, quiet_ms: int, *, prelaunch: bool) -> tuple[list[float], float]:
    """Seconds of each valid run but the first, and the median wait from load until settled in ms."""
    folder.mkdir()
    takes = films.capture(folder, CAMPAIGN % (quiet_ms, str(prelaunch).lower()) + films.site(SITE))
    values = [films.read(take, "take.json") for take in takes]
    attempts = [json.loads(line) for line in (folder / "batch" / "attempts.jsonl").read_text().splitlines()]
    seconds = [attempt["wall_s"] for attempt in attempts if attempt["outcome"] == "valid"]
    parts = medians_ms(value["timing_ms"] for value in values)
    load_ms = statistics.median(value["metrics"]["plt_ms"] for value in values)
    print("  our run, medians in ms: " + ", ".join(f"{part} {ms:.0f}" for part, ms in parts.items() if ms is not None))
    known = sum(ms for ms in parts.values() if ms is not None)
    print(f"  and {statistics.median(seconds) * 1000 - known:.0f} to write the take")
    print(f"  overhead (wall time minus PLT): {statistics.median(seconds) * 1000 - load_ms:.0f} ms, with the wait")
    wait_ms = parts["wait"]
    assert wait_ms is not None
    return seconds[1:], wait_ms


def browsertime(folder: Path, wait_ms: float, options: Sequence[str]) -> list[float]:
    """Seconds of each run but the first."""
    recording = films.REPOSITORY / "fixtures" / f"{SITE}.warc.gz"
    given = [str(folder), str(RUNS + 1), str(FRAME_RATE), f"{wait_ms:.0f}", *options]
    command = [str(TESTBED), "run", "--recording", str(recording), "--stack", STACK, "--network", NETWORK]
    said: list[str] = []
    marks: list[float] = []
    with subprocess.Popen(
        ["timeout", str(LIMIT_S), *command, "--seed", "1", "--", sys.executable, str(INSIDE), *given],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout is not None  # it is a pipe
        for line in process.stdout:
            said.append(line)
            if NEXT_RUN.search(line) or LAST_RUN.search(line):
                marks.append(time.perf_counter())
    if process.returncode != 0:
        raise SystemExit(f"Browsertime ended with status {process.returncode}:\n{''.join(said)[-2000:]}")
    if len(marks) != RUNS + 2:
        raise SystemExit(f"Browsertime told of {len(marks) - 1} runs instead of {RUNS + 1}.")
    measured = json.loads((folder / "browsertime.json").read_text())[0]["visualMetrics"]
    failed = sum(metrics["SpeedIndex"] <= 0 for metrics in measured)
    if failed or len(measured) != RUNS + 1:
        print(f"  Browsertime's script found nothing in {failed + RUNS + 1 - len(measured)} of its {RUNS + 1} films")
    return [after - before for before, after in pairwise(marks[1:])]


def one_round(folder: Path, quiet_ms: int, programs: Mapping[str, Sequence[str]]) -> dict[str, list[float]]:
    """Seconds of each run by program: ours, ours without prelaunch, and Browsertime's."""
    ours, wait_ms = eyelevel(folder / "ours", quiet_ms, prelaunch=True)
    without, _ = eyelevel(folder / "without", quiet_ms, prelaunch=False)
    print(f"  all wait {wait_ms:.0f} ms after load; ours, in s: {_listed(ours)}; without prelaunch: {_listed(without)}")
    found = {"ours": ours, "without": without}
    for number, (how, options) in enumerate(programs.items()):
        found[how] = browsertime(folder / f"browsertime-{number}", wait_ms, options)
        print(f"  Browsertime's ({how}), in s: {_listed(found[how])}", flush=True)
    return found


def _listed(seconds: Sequence[float]) -> str:
    return ", ".join(f"{each:.2f}" for each in seconds)


def compare(quiet_ms: int, rounds: int) -> Ratio:
    """How many times as many runs an hour ours are as those of a lean Browsertime."""
    found: list[dict[str, list[float]]] = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as name:
            found.append(one_round(Path(name), quiet_ms, BROWSERTIME))

    def against(first: str, second: str) -> Ratio:
        ratio = of_rounds([(each[first], each[second]) for each in found])
        if ratio is None:
            raise SystemExit("Too few runs for an interval; take more rounds.")
        return ratio

    ours_s = statistics.median(second for each in found for second in each["ours"])
    print(f"{SITE} over {STACK} on {NETWORK}, quiet for {quiet_ms} ms: our run takes {ours_s:.2f} s (median)")
    for how in BROWSERTIME:
        print(f"  as many runs an hour as Browsertime's ({how}): {against(how, 'ours')}, of rounds")
        print(f"    without prelaunch: {against(how, 'without')}", flush=True)
    return against(LEAN, "ours")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--wait", type=int, nargs="+", default=QUIET_MS, metavar="MS", help="quiet_ms, shortest first")
    asked = parser.parse_args()
    peer.install()
    peer.chromedriver()
    shorter, *_ = [compare(quiet_ms, asked.rounds) for quiet_ms in asked.wait]
    verdict = "within" if shorter.factor >= LEAST else "NOT within"
    sure = (
        "" if shorter.low >= LEAST or shorter.factor < LEAST else ", but its interval reaches below: take more rounds"
    )
    print(f"with the shorter wait {shorter.factor:.1f} times a lean Browsertime: {verdict} {LEAST:g}{sure}")
    sys.exit(0 if shorter.factor >= LEAST else 1)


if __name__ == "__main__":
    main()
