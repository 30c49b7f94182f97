"""A campaign on four nodes of Slurm, by the script of the guide: nodes die and come back, the store goes away.

Loads are planted, since the four nodes are one machine; all else is real: Slurm, the store, the command.
"""

import itertools
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import planted_capture
import pytest

from cluster import slurm
from cluster.field import BLOCKS, Field, block_of
from cluster.hosts import Host
from cluster.slurm import Slurm

pytestmark = [pytest.mark.root, pytest.mark.stores, pytest.mark.slurm]

NODES = ("n1", "n2", "n3", "n4")


@pytest.fixture
def folder() -> Iterator[Path]:
    # sockets have short paths
    made = Path(tempfile.mkdtemp(prefix="eyl-"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made, ignore_errors=True)


class SlurmField(Field):
    """The same on a cluster."""

    def __init__(self, folder: Path, cluster: Slurm, variables: dict[str, str]) -> None:
        super().__init__(folder, cluster.hub, logs=cluster.logs, variables=variables)
        self.cluster = cluster

    def submit(self) -> str:
        return self.sh(f"sbatch --parsable --array=0-{BLOCKS - 1} film.sbatch").strip()


@contextmanager
def field_of(folder: Path) -> Iterator[SlurmField]:
    with slurm.cluster(folder / "slurm", NODES) as cluster:
        variables = {"SLURM_CONF": str(cluster.folder / "slurm.conf")}
        yield SlurmField(folder, cluster, variables)


def wait_for(field: SlurmField, count: int) -> None:
    """Until so many blocks are done."""
    end = time.monotonic() + 90
    while len(field.complete()) < count:
        assert time.monotonic() < end, field.logs()
        time.sleep(0.1)


def late_results(field: SlurmField) -> list[dict[str, Any]]:
    """Results with takes that came after another one of their block; waits for one, of which Slurm knows nothing."""
    end = time.monotonic() + 60
    while not (late := [result for result in field.results("apart") if result["takes"]]):
        assert time.monotonic() < end, field.logs()
        time.sleep(0.2)
    return late


def busy_node(field: SlurmField, job: str, *, other_than: str = "") -> Host:
    """A node on which a block is being filmed."""
    while not (names := field.cluster.running_on(job) - {other_than}):
        time.sleep(0.1)
    return field.cluster.hosts[sorted(names)[0]]


def stopped_while_it_films(field: SlurmField, *, other_than: str) -> Host:
    """A node whose processes all stand still in the middle of a film."""
    end = time.monotonic() + 60
    for host in itertools.cycle(field.cluster.nodes):
        assert time.monotonic() < end, field.logs()
        mark = field.marks / host.name
        if host.name != other_than and mark.exists():
            host.signal_all(signal.SIGSTOP)
            if mark.exists():
                return host
            host.signal_all(signal.SIGCONT)
        time.sleep(0.01)
    raise AssertionError


def test_the_script_of_the_guide_films_every_block_once(folder: Path) -> None:
    with field_of(folder) as field:
        script = block_of("slurm").replace("0-11", f"0-{BLOCKS - 1}").replace("STORE=s3://films/demo", "STORE=$STORE")
        output = field.sh(script)
        assert f"{BLOCKS} of {BLOCKS} blocks are done" in output
        field.assert_all_once()
        assert {result["name"] for result in field.complete()} == set(NODES)


@pytest.mark.parametrize("away_s", [8, pytest.param(60, marks=pytest.mark.soak)])
def test_nodes_that_die_or_come_back_late_change_nothing(folder: Path, away_s: float) -> None:
    with field_of(folder) as field:
        job = field.submit()
        wait_for(field, 3)
        killed = busy_node(field, job)
        killed.kill()
        # the controller takes a second one for dead, whose film goes on later
        silent = stopped_while_it_films(field, other_than=killed.name)
        # others film its block, and all that is left
        wait_for(field, BLOCKS)
        field.stop_store()
        # the film goes on, of which Slurm knows nothing
        silent.signal_all(signal.SIGCONT, running=planted_capture.__file__)
        time.sleep(away_s)
        field.start_store()
        field.cluster.start_node(killed)
        field.cluster.wait(job, limit_s=180)
        field.assert_all_once()
        late = late_results(field)
        assert {result["name"] for result in late} == {silent.name}
        assert {result["id"] for result in late}.isdisjoint(result["id"] for result in field.results())
