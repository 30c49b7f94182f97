"""Two web servers against one: saved answers per second while requests stay as quick.

    tests/bench/replicas.py [--crowds 10 20 40 80 160] [--p99-ms 250]

Starts one host and then two, behind the product's proxy, each time with a new database, queue and S3 store.
Crowds of growing size answer without watching. The answers per second of each number of servers are the most that a
crowd saved while p99 of the requests, by the clock at the proxy, was within the bound. Prints both and their ratio.
Status 1 where an answer was lost. On two processors, servers, database and generator compete, so the ratio is a lower
bound. Needs root, for the proxy's clock, and nginx.
"""

import argparse
import os
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[1])

from bench.faults import stored  # noqa: E402 - found by the path above
from bench.load.generator import orders  # noqa: E402
from bench.load.measured import Run, measure  # noqa: E402
from bench.load.person import NAMES  # noqa: E402
from bench.load.report import quantile  # noqa: E402
from bench.load.runner import participant_arguments  # noqa: E402
from bench.load.study import publish  # noqa: E402
from cluster import platform_hosts  # noqa: E402

HOSTS = ("a", "b")
TRIALS, QUOTA = 10, 6000


@dataclass(frozen=True)
class Crowd:
    """The pace of all who answer at once, in the words of the generator."""

    participants: int
    # another one for each crowd, because ids follow from it
    seed: int
    arrive_s: float = 5.0
    think_s: float = 0.2
    limit_s: float = 300.0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--crowds", type=int, nargs="+", default=[10, 20, 40, 80, 160])
    parser.add_argument("--p99-ms", type=float, default=250.0)
    options = parser.parse_args()
    best = {count: most(HOSTS[:count], options.crowds, options.p99_ms / 1000) for count in (1, len(HOSTS))}
    one, two = best.values()
    print(f"two web servers save {two / one:.2f} times the answers of one ({two:.1f} and {one:.1f} per second)")
    return 0


def most(hosts: tuple[str, ...], crowds: list[int], bound_s: float) -> float:
    """The most answers per second that a crowd saved within the bound."""
    # sockets have short paths
    folder = Path(tempfile.mkdtemp(prefix="eyl-"))
    folder.chmod(0o755)
    reached = 0.0
    try:
        with platform_hosts.running(folder, hosts=hosts) as cluster:
            study = publish(cluster.platform, folder, trials=TRIALS, quota=QUOTA)
            known = participant_arguments(study, watch=False, pages=False)
            services = {
                "web": [_pid(cluster, host, "web") for host in hosts],
                "worker": [_pid(cluster, host, "worker") for host in hosts],
            }
            saved: set[str] = set()
            for size in crowds:
                wanted = orders(Crowd(size, seed=size), "eyelevel", cluster.platform.url, known)
                done = measure(lambda given=wanted: given, cluster.platform.url, services, NAMES)
                saved |= set(done.saved)
                p99_s, rate = quantile(done.all_s, 0.99), len(done.saved) / done.seconds
                tell(len(hosts), size, done, p99_s, rate)
                if p99_s <= bound_s and not done.errors:
                    reached = max(reached, rate)
            kept = {vote.id for vote in stored.in_database(cluster.platform, study["sha256"])}
            if kept != saved:
                raise SystemExit(f"{len(saved)} answers were saved, and {len(kept)} are stored")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if not reached:
        raise SystemExit(f"no crowd was served within {1000 * bound_s:.0f} ms by {len(hosts)} web servers")
    return reached


def tell(servers: int, size: int, done: Run, p99_s: float, rate: float) -> None:
    web = done.processor_s["web"] / done.seconds
    generator = done.generator_processor_s / done.seconds
    print(
        f"{servers} web, {size:4d} people: {rate:6.1f} answers/s, p99 {1000 * p99_s:5.0f} ms; processors of "
        f"{os.cpu_count()}: web {web:.2f}, generator {generator:.2f}; errors {len(done.errors)}",
        flush=True,
    )


def _pid(cluster: platform_hosts.Hosts, host: str, name: str) -> int:
    process = cluster.service(host, name).process
    assert process is not None
    return process.pid


if __name__ == "__main__":
    sys.exit(main())
