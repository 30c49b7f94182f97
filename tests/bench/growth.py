"""Analyse and export studies of growing size: time and memory grow with the votes as a + b n.

    tests/bench/growth.py [--largest 10000000]

Starts a separate platform, fills a study of each size by SQL (sessions of ten votes, ten plays and a verdict), and
runs the worker's steps in a process each: a first snapshot, results, an export, and another snapshot after ten votes
more on a new day. PostgreSQL's own time counts. Status 1 where time or memory of analysis or export differs from a + b
n by more than 20 %, or where analysis or export of a million votes takes more than 20 s or 1 GB.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path[0] = str(Path(__file__).resolve().parents[1])

from bench.faults.stored import connect  # noqa: E402 - found by the path above
from bench.million_votes import FIXTURES, VOTES_PER_SESSION, fill, hold_analysis, wait_until_counted  # noqa: E402
from bench.parts import BOUND_MB, BOUND_S, OFF, fit  # noqa: E402
from platform_process import Platform, running  # noqa: E402

SIZES = (10**5, 10**6, 10**7)
STEPS = ("analysis", "export", "analysis of a new day")
# votes that are taken away before the first step, and given some days later
TAKE = """
CREATE TABLE votes_of_a_new_day AS SELECT * FROM ratings_vote WHERE study_id = %s ORDER BY id LIMIT 10;
DELETE FROM ratings_vote WHERE id IN (SELECT id FROM votes_of_a_new_day);
UPDATE votes_of_a_new_day SET received_at = received_at + interval '3 days';
"""
GIVE = "INSERT INTO ratings_vote SELECT * FROM votes_of_a_new_day; DROP TABLE votes_of_a_new_day;"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--largest", type=int, default=SIZES[-1])
    largest = parser.parse_args().largest
    found: dict[int, dict[str, dict[str, float]]] = {}
    with running() as platform, tempfile.TemporaryDirectory() as folder:
        for votes in [size for size in SIZES if size <= largest]:
            study = published(platform, f"growth-{votes}", Path(folder))
            sha256 = study["sha256"]
            hold_analysis(platform, sha256)
            fill(platform, study, sessions=votes // VOTES_PER_SESSION, name=f"{votes}-")
            found[votes] = {}
            change(platform, TAKE.replace("%s", f"'{sha256}'"))
            # the worker counts a study in the field as it grows, and not all of it while it is first analysed
            wait_until_counted(platform, study, votes - VOTES_PER_SESSION)
            for step in STEPS:
                if step == STEPS[-1]:
                    change(platform, GIVE)
                cost = found[votes][step] = measured(platform, sha256, step)
                took = f"{cost['seconds']:8.1f} s  {cost['processor']:8.1f} processor s"
                print(f"{votes:>11,} votes  {step:22}  {took}  {cost['mb']:6.0f} MB", flush=True)
    return verdict(found)


def verdict(found: dict[int, dict[str, dict[str, float]]]) -> int:
    failed = False
    for step in STEPS[:2]:
        cost = found.get(10**6, {}).get(step)
        failed |= cost is not None and (cost["seconds"] > BOUND_S or cost["mb"] > BOUND_MB)
        for figure in ("seconds", "mb") if len(found) > 2 else ():
            off = fit([(votes, steps[step][figure]) for votes, steps in found.items()])
            print(f"{step}: {figure} differ from a + b n by at most {off:.0%}")
            failed |= off > OFF
    return int(failed)


def published(platform: Platform, name: str, folder: Path) -> dict[str, Any]:
    text = (FIXTURES / "study-demo.yaml").read_text(encoding="utf-8")
    file = folder / f"{name}.yaml"
    file.write_text(text.replace("name: demo", f"name: {name}", 1), encoding="utf-8")
    return platform.publish(FIXTURES / "sample-batch", file)


def change(platform: Platform, statements: str) -> None:
    with connect(platform) as connection, connection.transaction():
        connection.execute("SET LOCAL session_replication_role = replica")
        connection.execute(statements)


def measured(platform: Platform, study: str, step: str) -> dict[str, float]:
    from embedded.data_folder import Layout
    from embedded.servers import postgres_url

    data = str(platform.data)
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "EYELEVEL_DATABASE_URL": postgres_url(Layout(platform.data).sockets),
        "EYELEVEL_STORE": data,
        "EYELEVEL_BLOB_STORE": f"{data}/blobs",
    }
    command = [sys.executable, __file__, "--child", study, step]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def child(study: str, step: str) -> None:
    import django

    django.setup()
    from analysis.computing.results import compute
    from analysis.models import Result
    from analysis.snapshots.store import take_snapshot
    from exports.archive import write_archive

    def analysis() -> None:
        compute(take_snapshot(study))

    def export() -> None:
        with tempfile.TemporaryFile() as file:
            write_archive(Result.objects.get(snapshot__study=study), file)

    print(json.dumps(timed(export if step == "export" else analysis)))


def timed(work: Callable[[], None]) -> dict[str, float]:
    since, busy = time.monotonic(), time.process_time()
    work()
    return {
        "seconds": time.monotonic() - since,
        "processor": time.process_time() - busy,
        "mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(*sys.argv[2:4])
    else:
        sys.exit(main())
