"""Run all benches in turn; `run.py NAME...` runs only those. Status 1 where one is out of its bound."""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
BENCHES = (
    "ttfb",
    "parity",
    "visual_metrics",
    "recorder",
    "alignment",
    "browser_metrics",
    "lighthouse6",
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
    "million_votes",
    "beside_analysis",
    "otree",
    "acceptance",
    "coverage_best_set",
    "coverage_ceiling",
    "coverage_prediction",
    "coverage_verdicts",
)


def main() -> None:
    names = sys.argv[1:] or BENCHES
    unknown = set(names) - set(BENCHES)
    if unknown:
        raise SystemExit(f"There is no bench {', '.join(sorted(unknown))}; there are {', '.join(BENCHES)}.")
    failed = []
    for name in names:
        print(f"== {name}", flush=True)
        # a bench is a file, or a folder that runs
        place = HERE / name if (HERE / name).is_dir() else HERE / f"{name}.py"
        if subprocess.run([sys.executable, str(place)], check=False).returncode != 0:
            failed.append(name)
    if failed:
        raise SystemExit(f"Out of bounds or failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
