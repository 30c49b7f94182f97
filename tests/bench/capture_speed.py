"""Runs an hour, side by side with Browsertime: same testbed, page, network, stack, metrics and wait.

Our runs are a campaign's own, from the attempt's begin until its take is in its place. Browsertime gets the
film and visual metrics that it has, at the same rate and size, and one start of its program and of the testbed for all
its runs; it ends a run when the load event is as long past as the median of our runs, looking ten times a second. Its
runs count from one page to the next; the first, while its caches are cold, does not, and nor do its start and ours.
Both sides' figure is the median.
Needs root, Chromium, chromedriver, ffmpeg and npm.
"""

import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import films
import peer

from eyelevel.capture.overhead import medians_ms

TESTBED = films.REPOSITORY / "pipeline" / "testbed" / "target" / "release" / "eyelevel-testbed"
INSIDE = Path(__file__).with_name("browsertime_inside.py")
SITE, NETWORK, STACK = "garden", "DSL", "QUIC"
RUNS = 7
FRAME_RATE = 30  # Browsertime's
# a wait of the same length in both programs only dilutes their ratio: the bound is for a short one, which covers what
# these pages change after load; the other is a campaign's default
QUIET_MS = (500, 3000)
# as its users get a film and metrics; and without what it makes for looking at: a film that every player shows, with a
# timer, and pictures of it (ours makes clips later)
BROWSERTIME = {
    "by default": (),
    "film and metrics alone": (
        "--videoParams.convert=false",
        "--videoParams.addTimer=false",
        "--videoParams.createFilmstrip=false",
    ),
}
LEAST = 5.0
NEXT_RUN = re.compile(r"Testing url .* iteration \d+")
LAST_RUN = re.compile(r"Wrote data to ")
LIMIT_S = 600
CAMPAIGN = f"""
contract = "eyelevel/campaign/1"
name = "bench-capture-speed"
seed = 5
runs = {RUNS}
quiet_ms = %d
frame_rate = {FRAME_RATE}
networks = ["{NETWORK}"]
stacks = ["{STACK}"]
pairs = []
"""


def eyelevel(folder: Path, quiet_ms: int) -> tuple[list[float], float]:
    """Seconds of each valid run, and the median wait from load until settled in ms."""
    takes = films.capture(folder, CAMPAIGN % quiet_ms + films.site(SITE))
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
    return seconds, wait_ms


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
    told = json.loads((folder / "browsertime.json").read_text())[0]["visualMetrics"]
    failed = sum(metrics["SpeedIndex"] <= 0 for metrics in told)
    if failed or len(told) != RUNS + 1:
        print(f"  Browsertime's script found nothing in {failed + RUNS + 1 - len(told)} of its {RUNS + 1} films")
    return [after - before for before, after in pairwise(marks[1:])]


def compare(quiet_ms: int) -> dict[str, float]:
    """How many times Browsertime's runs an hour are ours, by how it runs."""
    ratios = {}
    with tempfile.TemporaryDirectory() as name:
        ours, wait_ms = eyelevel(Path(name), quiet_ms)
        ours_s = statistics.median(ours)
        print("  our runs, in s: " + ", ".join(f"{each:.2f}" for each in ours))
        print(
            f"{SITE} over {STACK} on {NETWORK}, all waiting {wait_ms:.0f} ms after load: our run takes {ours_s:.2f} s"
        )
        for number, (how, options) in enumerate(BROWSERTIME.items()):
            theirs = browsertime(Path(name) / f"browsertime-{number}", wait_ms, options)
            theirs_s = statistics.median(theirs)
            ratios[how] = theirs_s / ours_s
            print("  Browsertime's, in s: " + ", ".join(f"{each:.2f}" for each in theirs))
            print(
                f"Browsertime's {theirs_s:.2f} s ({how}); {3600 / ours_s:.0f} runs an hour to {3600 / theirs_s:.0f}:"
                f" {ratios[how]:.1f} times as many",
                flush=True,
            )
    return ratios


def main() -> None:
    peer.install()
    peer.chromedriver()
    waits = [int(word) for word in sys.argv[1:]] or QUIET_MS
    shorter, *_ = [compare(quiet_ms) for quiet_ms in waits]
    told = ", ".join(f"{ratio:.1f} times ({how})" for how, ratio in shorter.items())
    bounded, *_ = BROWSERTIME
    print(f"with the shorter wait as many runs an hour as Browsertime: {told}; bound {LEAST:g} {bounded}")
    sys.exit(0 if shorter[bounded] >= LEAST else 1)


if __name__ == "__main__":
    main()
