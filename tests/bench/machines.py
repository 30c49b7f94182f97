"""Film a planted campaign on one node of Slurm, then on four: runs per minute, and their ratio.

    tests/bench/machines.py [--film-s 6]

Needs root, slurm-wlm and versitygw. The nodes are network namespaces of this machine, and a load takes `--film-s`
without using a processor, because four machines have four times the processors. Slurm, the script of the guide, the
store and the command are real. Status 1 below a ratio of 3.6.
"""

import argparse
import shutil
import sys
import tempfile
import time
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[1])

from cluster import slurm  # noqa: E402 - found by the path above
from cluster.field import BLOCKS, STACKS, Field  # noqa: E402

NODES = ("n1", "n2", "n3", "n4")
LEAST = 3.6
LIMIT_S = 1800


class Timed(Field):
    """The campaign of the tests, whose films take longer and are never void."""

    film_s = 0.0

    @property
    def variables(self) -> dict[str, str]:
        return super().variables | {"PLANTED_S": str(self.film_s), "PLANTED_VOID": "0"}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--film-s", type=float, default=6.0)
    Timed.film_s = parser.parse_args().film_s
    rates = {count: runs_per_minute(NODES[:count]) for count in (1, len(NODES))}
    ratio = rates[len(NODES)] / rates[1]
    print(f"{len(NODES)} nodes film {ratio:.2f} times the runs of one (at least {LEAST})")
    return int(ratio < LEAST)


def runs_per_minute(nodes: tuple[str, ...]) -> float:
    # sockets have short paths
    folder = Path(tempfile.mkdtemp(prefix="eyl-"))
    folder.chmod(0o755)
    try:
        with slurm.cluster(folder / "slurm", nodes) as cluster:
            variables = {"SLURM_CONF": str(cluster.folder / "slurm.conf")}
            field = Timed(folder, cluster.hub, logs=cluster.logs, variables=variables)
            since = time.monotonic()
            job = field.sh(f"sbatch --parsable --array=0-{BLOCKS - 1} film.sbatch").strip()
            cluster.wait(job, limit_s=LIMIT_S)
            seconds = time.monotonic() - since
            field.assert_all_once()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    rate = BLOCKS * STACKS / seconds * 60
    print(f"{len(nodes)} nodes: {BLOCKS * STACKS} runs in {seconds:.0f} s, {rate:.1f} per minute", flush=True)
    return rate


if __name__ == "__main__":
    sys.exit(main())
