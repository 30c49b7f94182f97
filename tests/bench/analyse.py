"""Analyse a million votes of a long table: time and peak memory, beside a straightforward pandas script.

    tests/bench/analyse.py [--votes 1000000] [--no-bootstrap]

Makes votes of 20,000 people on 500 stimuli of 100 sites, and 16 metrics. Runs `eyelevel analyse` in a process of its
own, without and with what takes resampling; and a script that computes MOS with Student's intervals and the raw and
site-centred correlations with pandas (a dependency of statsmodels), which does less. Fails where the tables of closed
form take over 30 processor seconds or 1 GB for a million votes, or MOS or a correlation differs from pandas' by more
than 1e-9.
"""

import argparse
import os
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

REPOSITORY = Path(__file__).resolve().parents[2]
BOUND_S, BOUND_BYTES = 30.0, 1e9
AT_VOTES = 1_000_000
PEOPLE, SITES, CLIPS_PER_SITE, METRICS = 20_000, 100, 5, 16
TOLERANCE = 1e-9
COLUMNS = "participant=who,stimulus=clip,score=points,site=page"
# what an analyst would write
PANDAS = """
import sys
import pandas as pd
from scipy import stats

votes, metrics = pd.read_csv(sys.argv[1]), pd.read_csv(sys.argv[2], index_col="clip")
own = votes.groupby(["page", "clip", "who"])["points"].mean()
mos = own.groupby(["page", "clip"]).agg(["count", "mean", "std"]).reset_index("page")
half = stats.t.ppf(0.975, mos["count"] - 1) * mos["std"] / mos["count"] ** 0.5
mos["ci_low"], mos["ci_high"] = (mos["mean"] - half).clip(1, 5), (mos["mean"] + half).clip(1, 5)
both = mos.join(metrics)
rows = []
for name in metrics:
    inside = both[["mean", name]] - both.groupby("page")[["mean", name]].transform("mean")
    rows.append((name, both["mean"].corr(both[name], method="spearman"), inside["mean"].corr(inside[name])))
mos.to_csv(sys.argv[3])
pd.DataFrame(rows, columns=["metric", "spearman", "pearson_centred"]).to_csv(sys.argv[4], index=False)
"""


@dataclass(frozen=True)
class Cost:
    """What a process took."""

    seconds: float
    processor_s: float
    peak_bytes: float

    def __str__(self) -> str:
        return f"{self.seconds:6.1f} s, {self.processor_s:6.1f} processor s, at most {self.peak_bytes / 1e6:5.0f} MB"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--votes", type=int, default=AT_VOTES)
    parser.add_argument("--no-bootstrap", action="store_true", help="leave out what takes resampling")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_votes(folder, options.votes)
        asked: list[str | Path] = [
            "-m",
            "eyelevel",
            "analyse",
            "--votes",
            folder / "votes.csv",
            "--columns",
            COLUMNS,
            "--scale",
            "1:5",
        ]
        asked += ["--metrics", folder / "metrics.csv", "--out", folder / "out"]
        closed = cost([*asked, "--no-bootstrap"])
        print(f"{options.votes:,} votes, tables of closed form: {closed}", flush=True)
        if not options.no_bootstrap:
            print(f"{options.votes:,} votes, and noise ceilings and best metrics: {cost(asked)}", flush=True)
        others = cost(["-c", PANDAS, *(folder / file for file in ("votes.csv", "metrics.csv", "mos.csv", "board.csv"))])
        print(f"{options.votes:,} votes, pandas: {others}", flush=True)
        apart = difference(folder)
    print(f"largest difference from pandas: {apart:.1e}")
    slow = options.votes <= AT_VOTES and (closed.processor_s > BOUND_S or closed.peak_bytes > BOUND_BYTES)
    return 1 if slow or not apart <= TOLERANCE else 0


def make_votes(folder: Path, votes: int) -> None:
    """Votes of random people on random stimuli; every other metric follows the quality of the stimulus."""
    rng = np.random.default_rng(1)
    clips = SITES * CLIPS_PER_SITE
    quality = rng.normal(3, 0.8, clips)
    clip, who = rng.integers(0, clips, votes), rng.integers(0, PEOPLE, votes)
    points = np.clip(np.rint(quality[clip] + rng.normal(0, 0.5, PEOPLE)[who] + rng.normal(0, 0.8, votes)), 1, 5)
    frame = pd.DataFrame({"who": who, "clip": clip, "page": clip // CLIPS_PER_SITE, "points": points.astype(int)})
    frame["who"], frame["clip"] = "p" + frame["who"].astype(str), "c" + frame["clip"].astype(str)
    frame.to_csv(folder / "votes.csv", index=False)
    values = {f"m{n}": -quality * (n % 2) + rng.normal(0, 0.2 + 0.1 * n, clips) for n in range(METRICS)}
    names = [f"c{n}" for n in range(clips)]
    pd.DataFrame({"clip": names, **values}).to_csv(folder / "metrics.csv", index=False)


def cost(arguments: list[str | Path]) -> Cost:
    """Run Python with these arguments, as one process, and wait for it."""
    path = os.pathsep.join(str(REPOSITORY / part) for part in ("pipeline", "backend"))
    begun = time.monotonic()
    process = os.posix_spawn(
        sys.executable,
        [sys.executable, *map(str, arguments)],
        {**os.environ, "PYTHONPATH": path},
        file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)],
    )
    _, status, usage = os.wait4(process, 0)
    seconds = time.monotonic() - begun
    if os.waitstatus_to_exitcode(status):
        raise SystemExit(f"It ended with status {os.waitstatus_to_exitcode(status)}: {arguments}")
    return Cost(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def difference(folder: Path) -> float:
    """The largest difference of MOS, ends of intervals and correlations from those of pandas."""
    ours = pd.read_csv(folder / "out" / "mos.csv", index_col="stimulus").sort_index()
    theirs = pd.read_csv(folder / "mos.csv", index_col="clip").sort_index().rename(columns={"mean": "mos"})
    columns = ["mos", "ci_low", "ci_high"]
    board = pd.read_csv(folder / "out" / "statistics" / "leaderboard.csv", index_col="metric")
    others = pd.read_csv(folder / "board.csv", index_col="metric")
    apart = [(ours[columns] - theirs[columns]).abs().max().max(), (board[others.columns] - others).abs().max().max()]
    return float(max(apart))


if __name__ == "__main__":
    sys.exit(main())
