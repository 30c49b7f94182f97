"""Reduce votes in parts: time and memory grow with the votes as a + b n, and memory stays that of one part.

    tests/bench/parts.py [--largest 100000000] [--part 2000000] [--folder FOLDER]

Makes votes on 500 clips (50 sites, 2 networks, 5 stacks) by people who rate 20 clips and compare 10 pairs each, as
Parquet files of whole people. Each size is reduced part by part in a process of its own with 1 GB for DuckDB, and
merged into the tables of closed form. Beside it, the first million is read by pandas, which computes MOS of clips with
intervals from participants' means, and nothing else. Prints one table. Status 1 if a figure differs from pandas' by
more than 1e-9, if 10^8 votes take more than 20 s or 1 GB, or if time or memory differs from the fit by more than 20 %.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd

sys.path[0] = str(Path(__file__).resolve().parents[1])

SIZES = (10**5, 10**6, 10**7, 10**8, 10**9)
VOTES_EACH = 30
BOUND_S, BOUND_MB, OFF = 20.0, 1000.0, 0.2
# people number `first` to `last`, with thirty votes each
MADE = """
COPY (
  SELECT 'p' || person AS session_id, 'rate' AS trial_kind, 2 AS trial_kind_version, 'main' AS role,
    's' || (clip // 10) AS site, CASE WHEN clip % 2 = 0 THEN 'DSL' ELSE 'MSS' END AS network,
    'stack' || (clip // 2 % 5) AS stack, NULL::VARCHAR AS left_stack, NULL::VARCHAR AS right_stack,
    'work' AS context, 'clip' || clip AS clip_sha256, place AS position, NULL::BIGINT AS repeats_position,
    'row' AS layout, 500.0 + 7 * clip AS si_ms, 1000.0 + 11 * clip AS plt_ms,
    (1 + (hash(person, place) % 7))::BIGINT AS score, NULL::VARCHAR AS choice
  FROM (SELECT person, place, (hash(person) + place * 37) % 500 AS clip
        FROM range({first}, {last}) AS people(person), range(1, 21) AS places(place))
  UNION ALL
  SELECT 'p' || person, 'compare', 1, 'main', 's' || (pair // 10), CASE WHEN pair % 2 = 0 THEN 'DSL' ELSE 'MSS' END,
    NULL, 'stack0', 'stack' || (1 + pair // 2 % 4), 'work', 'pair' || pair, place, NULL, 'row', NULL, NULL, NULL,
    CASE hash(person, place) % 3 WHEN 0 THEN 'left' WHEN 1 THEN 'right' ELSE 'none' END
  FROM (SELECT person, place, (hash(person) + place * 37) % 500 AS pair
        FROM range({first}, {last}) AS people(person), range(21, 31) AS places(place))
) TO '{path}' (FORMAT parquet, COMPRESSION zstd)
"""


def make(folder: Path, votes: int, part: int) -> list[Path]:
    """Files of whole people, with about `part` votes each."""
    people, each = votes // VOTES_EACH, part // VOTES_EACH
    paths = []
    for number, first in enumerate(range(0, people, each)):
        path = folder / f"part-{number:04}.parquet"
        if not path.exists():
            beside = path.with_suffix(".making")
            duckdb.sql(MADE.format(first=first, last=min(first + each, people), path=beside))
            beside.rename(path)
        paths.append(path)
    return paths


def reduced(paths: list[Path], votes: int) -> dict[str, Any]:
    """What the child process measured."""
    command = [sys.executable, __file__, "--child", str(votes), *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def child(paths: list[str]) -> None:
    from eyelevel_stats.parts.reduce import opened, reduce
    from eyelevel_stats.parts.sums import Sums
    from eyelevel_stats.parts.tables import results_of_sums

    since, busy = time.monotonic(), time.process_time()
    sums = Sums(votes=0, sessions=0)
    with tempfile.TemporaryDirectory() as spill:
        for path in paths:
            with opened(memory_mb=700, threads=os.cpu_count() or 1, spill_to=spill) as connection:
                sums = sums + reduce(connection, f"read_parquet('{path}')")
    results = results_of_sums(sums)
    print(
        json.dumps(
            {
                "seconds": time.monotonic() - since,
                "processor": time.process_time() - busy,
                "mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
                "votes": sums.votes,
                "points": {row.clip_sha256: [row.n, row.mos, row.ci_low, row.ci_high] for row in results.points},
            }
        )
    )


def by_pandas(path: Path) -> tuple[float, dict[str, tuple[float, float]]]:
    """Seconds, and the number of participants and MOS of each clip."""
    since = time.monotonic()
    votes = pd.read_parquet(path, columns=["session_id", "trial_kind", "clip_sha256", "score"])
    rated = votes[votes.trial_kind == "rate"]
    means = rated.groupby(["clip_sha256", "session_id"], sort=False).score.mean()
    found = means.groupby("clip_sha256").agg(["size", "mean", "std"])
    seconds = time.monotonic() - since
    return seconds, {str(clip): (float(row["size"]), float(row["mean"])) for clip, row in found.iterrows()}


def fit(rows: list[tuple[int, float]]) -> float:
    """The largest relative difference from the line a + b n through the points, weighted by 1 / value."""
    n, value = np.array([row[0] for row in rows], float), np.array([row[1] for row in rows], float)
    design = np.stack([1 / value, n / value], axis=1)
    solved, *_ = np.linalg.lstsq(design, np.ones(len(n)), rcond=None)
    return float(np.max(np.abs(design @ solved - 1)))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--largest", type=int, default=10**8)
    parser.add_argument("--part", type=int, default=2 * 10**6)
    parser.add_argument("--folder", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = asked.folder or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        return measure(folder, asked.largest, asked.part)


def measure(folder: Path, largest: int, part: int) -> int:
    failed, rows = False, []
    for votes in [size for size in SIZES if size <= largest]:
        parts_folder = folder / str(min(part, votes))
        parts_folder.mkdir(exist_ok=True)
        paths = make(parts_folder, votes, min(part, votes))[: max(1, votes // part)]
        found = reduced(paths, votes)
        rows.append((found["votes"], found["seconds"], found["mb"]))
        took = f"{found['seconds']:8.2f} s  {found['processor']:8.2f} processor s"
        print(f"{found['votes']:>13,} votes  {took}  {found['mb']:6.0f} MB")
        if votes == 10**6:
            seconds, pandas = by_pandas(paths[0])
            worst = max(abs(found["points"][clip][1] - mos) for clip, (_, mos) in pandas.items())
            print(f"{'':13} pandas alone for MOS of clips: {seconds:.2f} s; largest difference {worst:.1e}")
            failed |= worst > 1e-9
        if votes == 10**8:
            failed |= found["seconds"] > BOUND_S or found["mb"] > BOUND_MB
    if len(rows) > 2:
        off = fit([(votes, seconds) for votes, seconds, _ in rows])
        print(f"time differs from a + b n by at most {off:.0%}")
        failed |= off > OFF
    return int(failed)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[3:])
    else:
        sys.exit(main())
