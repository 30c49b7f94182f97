"""Run all benches in turn; `run.py NAME...` runs only those. Status 1 where one is out of its bound.

What a bench prints is also kept in var/bench/NAME.txt. At the end a table lists the
verdict, the minutes and the day of every bench that was run here. So a run of all benches, which takes hours, can be
made in parts.
"""

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path

HERE = Path(__file__).parent
KEPT = HERE.parents[1] / "var" / "bench"
VERDICTS = "verdicts.json"
BENCHES = (
    "ttfb",
    "parity",
    "loss",
    "visual_metrics",
    "recorder",
    "alignment",
    "browser_metrics",
    "capture_speed",
    "prelaunch",
    "film_cost",
    "clips",
    "motion",
    "first_page",
    "first_trial",
    "faults",
    "load",
    "analyse",
    "parts",
    "growth",
    "machines",
    "replicas",
    "backup",
    "million_votes",
    "beside_analysis",
    "otree",
    "acceptance",
    "coverage_best_set",
    "coverage_bootstrap",
    "coverage_ceiling",
    "coverage_few",
    "coverage_ordinal",
    "coverage_prediction",
    "coverage_verdicts",
)


def run(place: Path, kept: Path) -> int:
    """The status of one bench; its output goes to the terminal and into the file."""
    # a bench is a file, or a folder that runs
    script = place if place.is_dir() else place.with_suffix(".py")
    command = [sys.executable, "-u", str(script)]
    with (
        kept.open("w") as file,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process,
    ):
        assert process.stdout is not None  # it is a pipe
        for line in process.stdout:
            print(line, end="", flush=True)
            file.write(line)
    return process.returncode


def verdict(status: object) -> str:
    return "within its bounds" if status == 0 else "out of bounds or failed"


def table(verdicts: Mapping[str, Mapping[str, object]], benches: Sequence[str]) -> Iterator[str]:
    yield f"{'bench':22s} {'verdict':24s} {'minutes':>7s}  on"
    for name in benches:
        if name in verdicts:
            entry = verdicts[name]
            words = verdict(entry["status"])
            yield f"{name:22s} {words:24s} {entry['minutes']:7.1f}  {entry['on']}"
        else:
            yield f"{name:22s} not run"


def main(asked: Sequence[str], *, here: Path = HERE, kept: Path = KEPT, benches: Sequence[str] = BENCHES) -> None:
    names = asked or benches
    unknown = set(names) - set(benches)
    if unknown:
        raise SystemExit(f"There is no bench {', '.join(sorted(unknown))}; there are {', '.join(benches)}.")
    kept.mkdir(parents=True, exist_ok=True)
    file = kept / VERDICTS
    verdicts = json.loads(file.read_text()) if file.exists() else {}
    for name in names:
        print(f"== {name}", flush=True)
        begun = time.monotonic()
        status = run(here / name, kept / f"{name}.txt")
        minutes = round((time.monotonic() - begun) / 60, 1)
        verdicts[name] = {"status": status, "minutes": minutes, "on": date.today().isoformat()}  # noqa: DTZ011 - a person's day
        file.write_text(json.dumps(verdicts, indent=1))
    print("\n".join(["", *table(verdicts, benches)]))
    failed = [name for name in names if verdicts[name]["status"] != 0]
    if failed:
        raise SystemExit(f"Out of bounds or failed: {', '.join(failed)}")


if __name__ == "__main__":
    main(sys.argv[1:])
