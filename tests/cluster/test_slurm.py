"""A campaign on four nodes of Slurm, by the script of the guide: nodes die and come back, the store goes away.

Loads are planted, since the four nodes are one machine; all else is real: Slurm, the store, the command.
"""

import itertools
import json
import re
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import planted_capture
import pytest
import s3_stores

from cluster import slurm
from cluster.hosts import Host
from cluster.slurm import Slurm

pytestmark = [pytest.mark.root, pytest.mark.stores, pytest.mark.slurm]

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "cluster.md"
SITES, RUNS, STACKS = 3, 8, 2
BLOCKS = SITES * RUNS
NODES = ("n1", "n2", "n3", "n4")
PORT = 7070


def block_of(language: str) -> str:
    """The code of the guide that is marked with this language."""
    found = re.search(rf"^```{language}\n(.*?)^```", GUIDE.read_text(), re.MULTILINE | re.DOTALL)
    assert found is not None
    return found.group(1)


@pytest.fixture
def folder() -> Iterator[Path]:
    # sockets have short paths
    made = Path(tempfile.mkdtemp(prefix="eyl-"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made, ignore_errors=True)


class Field:
    """A cluster, a store on its hub, and a folder with the campaign and with `eyelevel` on the path."""

    def __init__(self, folder: Path, cluster: Slurm) -> None:
        self.folder, self.cluster = folder, cluster
        self.work = folder / "work"
        self.work.mkdir()
        (self.work / "campaign.toml").write_text(planted_capture.campaign_text(sites=SITES, runs=RUNS))
        (self.work / "film.sbatch").write_text(block_of("sbatch"))
        # `eyelevel capture`, whose loads are planted
        program = self.work / "bin" / "eyelevel"
        program.parent.mkdir()
        program.write_text(f'#!/bin/sh\nshift\nexec {sys.executable} {planted_capture.__file__} "$@"\n')
        program.chmod(0o755)
        self.store_log = folder / "store.out"
        self.start_store()

    @property
    def variables(self) -> dict[str, str]:
        found = dict(s3_stores.Server("versitygw", self.folder, PORT, None).variables)  # type: ignore[arg-type]
        found["AWS_ENDPOINT_URL"] = f"http://{self.cluster.hub.address}:{PORT}"
        found |= {"CAMPAIGN": "campaign.toml", "STORE": f"s3://{s3_stores.BUCKET}/demo"}
        found |= {"PATH": f"{self.work / 'bin'}:/usr/sbin:/usr/bin:/sbin:/bin", "SLURM_CONF": str(self.conf)}
        return found | {"PLANTED_S": "0.4", "PLANTED_VOID": "0.05", "PLANTED_MARKS": str(self.marks)}

    @property
    def marks(self) -> Path:
        """A file for each machine that films just now."""
        return self.folder / "marks"

    @property
    def conf(self) -> Path:
        return self.cluster.folder / "slurm.conf"

    def start_store(self) -> None:
        program = Path(s3_stores.__file__)
        words = [sys.executable, program, "versitygw", self.folder / "store", "--port", str(PORT)]
        self.cluster.hub.start(*words, "--address", self.cluster.hub.address, log=self.store_log)

    def stop_store(self) -> None:
        self.cluster.hub.signal_all(signal.SIGKILL, running="versitygw")

    def sh(self, script: str) -> str:
        done = self.cluster.hub.run("sh", "-ec", f"cd {self.work}\n{script}", **self.variables)
        assert done.returncode == 0, f"{done.stdout}{done.stderr}\n{self.cluster.logs()}"
        return done.stdout

    def submit(self) -> str:
        return self.sh(f"sbatch --parsable --array=0-{BLOCKS - 1} film.sbatch").strip()

    def results(self, kind: str = "results") -> list[dict[str, Any]]:
        root = self.folder / "store" / "bucket" / s3_stores.BUCKET / "demo" / kind
        return [json.loads(path.read_text()) for path in sorted(root.rglob("*.json"))]

    def complete(self) -> list[dict[str, Any]]:
        return [one for one in self.results() if one["takes"]]

    def assert_all_once(self) -> None:
        """The gathered folder has exactly the planned runs, and those of a block come from one machine."""
        told = self.sh('eyelevel capture "$CAMPAIGN" --store "$STORE" --status')
        runs = BLOCKS * STACKS
        assert told.startswith(f"{BLOCKS} of {BLOCKS} blocks are done, with {runs} of {runs} runs"), told
        names = [one["block"] for one in self.complete()]
        assert len(names) == len(set(names)) == BLOCKS
        self.sh('eyelevel capture "$CAMPAIGN" --store "$STORE" --gather out')
        takes = [json.loads(path.read_text()) for path in (self.work / "out").rglob("take.json")]
        assert len({(take["site"], take["run"], take["stack"]["name"]) for take in takes}) == len(takes) == runs
        by_block: dict[tuple[str, int], set[str]] = {}
        for take in takes:
            fingerprint = take["provenance"]["machine"]["fingerprint"]
            by_block.setdefault((take["site"], take["run"]), set()).add(fingerprint)
        assert {len(machines) for machines in by_block.values()} == {1}


@contextmanager
def field_of(folder: Path) -> Iterator[Field]:
    with slurm.cluster(folder / "slurm", NODES) as cluster:
        yield Field(folder, cluster)


def wait_for(field: Field, count: int) -> None:
    """Until so many blocks are done."""
    end = time.monotonic() + 90
    while len(field.complete()) < count:
        assert time.monotonic() < end, field.cluster.logs()
        time.sleep(0.1)


def busy_node(field: Field, job: str, *, other_than: str = "") -> Host:
    """A node on which a block is being filmed."""
    while not (names := field.cluster.running_on(job) - {other_than}):
        time.sleep(0.1)
    return field.cluster.hosts[sorted(names)[0]]


def stopped_while_it_films(field: Field, *, other_than: str) -> Host:
    """A node whose processes all stand still in the middle of a film."""
    end = time.monotonic() + 60
    for host in itertools.cycle(field.cluster.nodes):
        assert time.monotonic() < end, field.cluster.logs()
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
        told = field.sh(script)
        assert f"{BLOCKS} of {BLOCKS} blocks are done" in told
        field.assert_all_once()
        assert {one["name"] for one in field.complete()} == set(NODES)


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
        late = [one for one in field.results("apart") if one["takes"]]
        assert {one["name"] for one in late} == {silent.name}
        assert {one["id"] for one in late}.isdisjoint(one["id"] for one in field.results())
