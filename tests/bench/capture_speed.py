"""Runs an hour, side by side with Browsertime: same testbed, page, network, stack, metrics and wait.

Our runs are a campaign's own (a run lasts from one take being in its place until the next is). Browsertime gets the
film and visual metrics that it has, at the same rate and size, and one start of its program and of the testbed for all
its runs; it ends a run when the load event is as long past as the median of our runs, looking ten times a second.
Needs root, Chromium, chromedriver, ffmpeg and npm.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

import films
import peer

from eyelevel.capture.overhead import medians_ms

TESTBED = films.REPOSITORY / "pipeline" / "testbed" / "target" / "release" / "eyelevel-testbed"
INSIDE = Path(__file__).with_name("browsertime_inside.py")
SITE, NETWORK, STACK = "garden", "DSL", "QUIC"
RUNS = 4
FRAME_RATE = 30  # Browsertime's
LEAST = 5.0
LIMIT_S = 600
CAMPAIGN = f"""
contract = "eyelevel/campaign/1"
name = "bench-capture-speed"
seed = 5
runs = {RUNS + 1}
frame_rate = {FRAME_RATE}
networks = ["{NETWORK}"]
stacks = ["{STACK}"]
pairs = []
"""


def eyelevel(folder: Path) -> tuple[list[float], float]:
    """Seconds a run, and the median wait from load until settled in ms. The first take only starts the clock."""
    takes = films.capture(folder, CAMPAIGN + films.site(SITE))
    placed_s = [take.stat().st_ctime_ns / 1e9 for take in takes]
    values = [films.read(take, "take.json") for take in takes]
    if any(value["attempt"] > 1 for value in values):
        raise SystemExit("An attempt was void, so that the time between takes is not that of a run; try again.")
    parts = medians_ms(value["timing_ms"] for value in values)
    load_ms = statistics.median(value["metrics"]["plt_ms"] for value in values)
    seconds = [later - earlier for earlier, later in pairwise(placed_s)]
    print("  our run, medians in ms: " + ", ".join(f"{part} {ms:.0f}" for part, ms in parts.items() if ms is not None))
    known = sum(ms for ms in parts.values() if ms is not None)
    print(f"  and {statistics.median(seconds) * 1000 - known:.0f} to write the take and begin the next")
    print(f"  overhead (wall time minus PLT): {statistics.median(seconds) * 1000 - load_ms:.0f} ms, with the wait")
    wait_ms = parts["wait"]
    assert wait_ms is not None
    return seconds, wait_ms


def browsertime(folder: Path, wait_ms: float) -> float:
    """Seconds a run."""
    recording = films.REPOSITORY / "fixtures" / f"{SITE}.warc.gz"
    given = [str(folder / "browsertime"), str(RUNS), str(FRAME_RATE), f"{wait_ms:.0f}"]
    command = [str(TESTBED), "run", "--recording", str(recording), "--stack", STACK, "--network", NETWORK]
    begun = time.perf_counter()
    done = subprocess.run(
        [*command, "--seed", "1", "--", sys.executable, str(INSIDE), *given],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=LIMIT_S,
    )
    took_s = time.perf_counter() - begun
    if done.returncode != 0:
        raise SystemExit(f"Browsertime ended with status {done.returncode}:\n{done.stdout[-2000:]}")
    told = json.loads((folder / "browsertime" / "browsertime.json").read_text())[0]
    if len(told["visualMetrics"]) != RUNS or not all(metrics["SpeedIndex"] > 0 for metrics in told["visualMetrics"]):
        raise SystemExit("Browsertime did not give visual metrics for each of its runs.")
    return took_s / RUNS


def main() -> None:
    peer.install()
    peer.chromedriver()
    with tempfile.TemporaryDirectory() as name:
        ours, wait_ms = eyelevel(Path(name))
        theirs_s = browsertime(Path(name), wait_ms)
    ours_s = statistics.median(ours)
    ratio = theirs_s / ours_s
    print(f"  both wait {wait_ms:.0f} ms after load; our run {ours_s:.2f} s, Browsertime's {theirs_s:.2f} s")
    print(
        f"{SITE} over {STACK} on {NETWORK}: {3600 / ours_s:.0f} runs an hour, Browsertime {3600 / theirs_s:.0f}: "
        f"{ratio:.1f} times as many (bound {LEAST:g})"
    )
    sys.exit(0 if ratio >= LEAST else 1)


if __name__ == "__main__":
    main()
