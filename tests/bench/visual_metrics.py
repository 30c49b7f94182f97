"""Visual metrics against Browsertime's script: the same values from the same videos, sooner, in the same memory.

Videos are the fixtures' pages, filmed by our own capture (takes that are valid) and brought to 30 frames a second.
Values are compared with those that the script computes from whole frames (--full, Browsertime's filmstripFullSize);
it is timed as Browsertime calls it by default, with thumbnails 400 pixels wide, which are quicker. What it makes of
these is shown, too: scaling moves a percentage by one now and then, and VC85 with it where that is the 85th.
Needs root, Chromium, ffmpeg and npm.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from math import log
from pathlib import Path
from typing import Any

import films
import peer
from ratios import ratio

CAMPAIGN = """
contract = "eyelevel/campaign/1"
name = "bench-visual-metrics"
max_outside_share = 1  # values, no times
seed = 7
networks = ["LTE"]
stacks = ["TCP+", "QUIC"]
runs = 2
"""
SITES = ("garden", "teashop")
FRAME_RATE = 30
REPEATS = 2
LEAST_LIVE, LEAST_STORED = 50.0, 1.5
SHORT_S, LONG_S = 10, 100
MOST_GROWTH = 1.1


@dataclass(frozen=True)
class Told:
    """What a program says of a video (VC85 worked out from its progress), and how long it took."""

    values: dict[str, float | None]
    took_s: float


def browsertime(video: Path, *options: str) -> Told:
    """As lib/video/postprocessing/visualmetrics calls it, but without looking for an orange lead: there is none."""
    command = [str(peer.PYTHON), str(peer.SCRIPT), "--video", str(video), "--force", "--renderignore", "5", "--json"]
    command += options
    begun = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    took_s = time.perf_counter() - begun
    metrics = json.loads(done.stdout)
    progress = [part.split("=") for part in metrics["VisualProgress"].split(", ")]
    values = {"fvc": metrics["FirstVisualChange"], "si": metrics["SpeedIndex"], "lvc": metrics["LastVisualChange"]}
    return Told({**values, "vc85": vc85([(int(ms), int(percent)) for ms, percent in progress])}, took_s)


def vc85(progress: list[tuple[int, int]]) -> int | None:
    """As lib/video/postprocessing/visualmetrics/extraMetrics.js: a fall below 85 discards an earlier moment."""
    moment = None
    for ms, percent in progress:
        moment = None if percent < 85 else ms if moment is None else moment
    return moment


def eyelevel(video: Path) -> Told:
    begun = time.perf_counter()
    done = subprocess.run(
        [str(films.EYELEVEL), "measure", str(video), "--json"], capture_output=True, text=True, check=True
    )
    took_s = time.perf_counter() - begun
    metrics = json.loads(done.stdout)
    return Told({name: metrics[f"{name}_ms"] for name in ("fvc", "si", "vc85", "lvc")}, took_s)


def agree(ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """FVC, VC85 and LVC within one frame, SI within one frame or 1 %."""
    frame_ms = 1000 / FRAME_RATE + 1  # all times are whole milliseconds
    near = all(abs(ours[name] - theirs[name]) <= frame_ms for name in ("fvc", "vc85", "lvc"))
    return near and abs(ours["si"] - theirs["si"]) <= max(frame_ms, 0.01 * theirs["si"])


def compare(take: Path, video: Path) -> tuple[bool, float, float]:
    """Whether all values agree; how many times our time Browsertime takes: while filming, stored.

    While filming, our time goes from the decision to end the film to the metrics in their file.
    """
    theirs, ours = ([program(video) for _ in range(REPEATS)] for program in (browsertime, eyelevel))
    timing = films.read(take, "take.json")["timing_ms"]
    live_s = (timing["film_end"] + timing["metrics"]) / 1000
    theirs_s, ours_s = (statistics.median(run.took_s for run in each) for each in (theirs, ours))
    full = browsertime(video, "--full").values
    good = agree(ours[0].values, full)
    for name in ("fvc", "si", "vc85", "lvc"):
        small = theirs[0].values[name]
        print(
            f"    {name:5s} {ours[0].values[name]:7.0f} ms, Browsertime {full[name]:7.0f} ms,"
            f" from thumbnails {small:7.0f} ms"
        )
    print(
        f"    {'agree' if good else 'DO NOT AGREE'}; Browsertime {theirs_s:.2f} s, stored {ours_s:.2f} s"
        f" ({theirs_s / ours_s:.1f} times), after filming {live_s:.3f} s ({theirs_s / live_s:.0f} times)"
    )
    return good, theirs_s / live_s, theirs_s / ours_s


def peak_mib(seconds: int, folder: Path) -> float:
    """The most memory that measuring a video of so many seconds, in which every frame differs, takes in one process."""
    video = folder / f"moving-{seconds}.mkv"
    source = ["-f", "lavfi", "-i", f"testsrc2=size=640x360:rate={FRAME_RATE}:duration={seconds}"]
    encoding = ["-c:v", "libx264rgb", "-crf", "0", "-preset", "ultrafast", str(video)]
    subprocess.run(["ffmpeg", "-loglevel", "error", *source, *encoding], check=True)
    code = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True); "
    code += "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    command = [sys.executable, "-c", code, str(films.EYELEVEL), "measure", str(video), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return int(done.stdout) / 1024  # Linux counts it in KiB


def main() -> None:
    peer.install()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sites = "\n".join(films.site(site) for site in SITES)
        results = []
        for take in films.capture(folder, CAMPAIGN + sites):
            value = films.read(take, "take.json")
            video = folder / "video.mkv"
            count = films.as_video(take, video, frame_rate=FRAME_RATE)
            print(f"  {value['site']} over {value['stack']['name']}, {count} frames:", flush=True)
            results.append(compare(take, video))
            video.unlink()
        short, long = (peak_mib(seconds, folder) for seconds in (SHORT_S, LONG_S))
    good = all(agreed for agreed, *_ in results)
    live, stored = (ratio([log(times) for times in column]) for column in list(zip(*results, strict=True))[1:])
    if live is None or stored is None:
        raise SystemExit("Too few takes for an interval.")
    growth = long / short
    ok = good and live.factor >= LEAST_LIVE and stored.factor >= LEAST_STORED and growth <= MOST_GROWTH
    print(f"values: {'all within one frame, SI within one frame or 1 %' if good else 'OUT OF BOUNDS'}")
    print(f"metrics after filming, Browsertime's script over ours: {live} (bound {LEAST_LIVE:g})")
    print(f"metrics of a stored video, the same: {stored} (bound {LEAST_STORED:g})")
    print(
        f"peak memory for {LONG_S} s of video {long:.0f} MiB, for {SHORT_S} s {short:.0f} MiB: "
        f"{growth:.2f} times (bound {MOST_GROWTH:g})"
    )
    sys.exit(0 if ok else 1)


if __name__ == "__main__":
    main()
