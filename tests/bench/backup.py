"""Back up and restore 100,000 votes and 200 clips, against pg_dump, cp and pg_restore alone.

    tests/bench/backup.py [--votes 100000] [--clips 200]

Starts a platform of its own in a temporary folder, fills a study by SQL, adds files of one MB in the place of clips,
and waits for the results. Prints the times of backup, restore with its proof, and drill, and how much longer each takes
than what it is made of. Status 1 where a restore does not prove itself.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path[0] = str(Path(__file__).resolve().parents[1])

import httpx  # noqa: E402 - found by the path above
from bench.faults.stored import connect  # noqa: E402
from bench.million_votes import FIXTURES, VOTES_PER_SESSION, fill  # noqa: E402
from haystack import database  # noqa: E402
from platform_process import Platform, running  # noqa: E402

from embedded import servers  # noqa: E402
from embedded.data_folder import Layout  # noqa: E402
from eyelevel_core.contracts import sha256_of_bytes  # noqa: E402

CLIP_BYTES = 1_000_000
RESULTS_S = 600.0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--votes", type=int, default=100_000)
    parser.add_argument("--clips", type=int, default=200)
    wanted = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="eyl-bench-"))
    folder.chmod(0o755)
    try:
        with running() as platform:
            study = platform.publish(FIXTURES / "sample-batch", FIXTURES / "study-demo.yaml")
            fill(platform, study, sessions=wanted.votes // VOTES_PER_SESSION)
            add_clips(platform, wanted.clips)
            wait_for_results(platform, study)
            file = folder / "file.backup"
            backup_s = timed(lambda: eyelevel("backup", file, "--data", platform.data))
            dump_s = timed(lambda: dump_and_copy(platform, folder))
            drill_s = timed(lambda: eyelevel("restore", "--drill", file, "--data", platform.data))
        said: list[str] = []
        restore_s = timed(lambda: said.append(eyelevel("restore", file, "--data", folder / "data")))
        load_s = timed(lambda: load_alone(folder))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(said[0])
    print(f"{wanted.votes:,} votes, {wanted.clips} clips of 1 MB")
    print(f"backup   {backup_s:6.1f} s   {backup_s / dump_s:.1f} times pg_dump and cp ({dump_s:.1f} s)")
    print(f"restore  {restore_s:6.1f} s   {restore_s / load_s:.1f} times pg_restore and cp ({load_s:.1f} s)")
    print(f"drill    {drill_s:6.1f} s")
    return 0 if "byte for byte" in said[0] else 1


def add_clips(platform: Platform, number: int) -> None:
    """Files of the newest batch that no clip names, with rows that make them part of it."""
    blobs = Layout(platform.data).blobs
    with connect(platform) as connection:
        for place in range(number):
            data = place.to_bytes(4, "big") + os.urandom(CLIP_BYTES - 4)
            sha256 = sha256_of_bytes(data)
            path = blobs / sha256[:2] / sha256
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
            connection.execute(
                "INSERT INTO stimuli_batchfile (batch_id, path, sha256, bytes)"
                " SELECT sha256, %s, %s, %s FROM stimuli_batch LIMIT 1",
                [f"clips/bench-{place}.mp4", sha256, len(data)],
            )
    # the services' user made none of it
    subprocess.run(["chown", "-R", f"--reference={blobs}", str(blobs)], check=True)
    subprocess.run(["chmod", "-R", "u+rwX", str(blobs)], check=True)


def wait_for_results(platform: Platform, study: dict[str, Any]) -> None:
    headers = {"Authorization": f"Bearer {platform.secret('studies-token')}"}
    address = f"{platform.url}/api/research/studies/{study['sha256']}/results"
    end = time.monotonic() + RESULTS_S
    while httpx.get(address, headers=headers, timeout=60).json()["status"] != "fresh":
        if time.monotonic() > end:
            raise SystemExit(f"The results did not come within {RESULTS_S:.0f} s.")
        time.sleep(1)


def eyelevel(*arguments: str | Path) -> str:
    command = [sys.executable, "-m", "eyelevel", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    return done.stderr


def dump_and_copy(platform: Platform, folder: Path) -> None:
    dump = servers.find_postgres_binaries() / "pg_dump"
    target = f"--file={folder / 'alone.dump'}"
    subprocess.run([dump, "--format=custom", target, database(platform.data)], check=True)
    subprocess.run(["cp", "-r", Layout(platform.data).blobs, folder / "alone"], check=True)


def load_alone(folder: Path) -> None:
    """Into the database server of the restored platform."""
    layout = Layout(folder / "data")
    user = "nobody" if os.geteuid() == 0 else None
    server = servers.start_postgres(layout.postgres, layout.sockets, user=user)
    binaries = servers.find_postgres_binaries()
    other = servers.postgres_url(layout.sockets, database="alone")
    try:
        subprocess.run([binaries / "createdb", f"--maintenance-db={server.url}", "alone"], check=True)
        subprocess.run([binaries / "pg_restore", f"--dbname={other}", folder / "alone.dump"], check=True)
        subprocess.run(["cp", "-r", folder / "alone", folder / "again"], check=True)
    finally:
        servers.stop(server)


def timed(work: Callable[[], object]) -> float:
    begun = time.monotonic()
    work()
    return time.monotonic() - begun


if __name__ == "__main__":
    sys.exit(main())
