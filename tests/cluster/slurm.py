"""A Slurm cluster on one machine: slurmctld, and a slurmd on each host. Needs root, slurm-wlm and munge."""

import os
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from cluster.hosts import HUB, Host, hosts

READY_S = 60
# after which the controller takes a node for dead and gives its jobs to others
SILENT_S = 10


@dataclass(frozen=True)
class Slurm:
    """`hosts` are the nodes and the hub, where the controller is and where jobs are submitted."""

    folder: Path
    hosts: dict[str, Host]

    @property
    def hub(self) -> Host:
        return self.hosts[HUB]

    @property
    def nodes(self) -> list[Host]:
        return [host for name, host in self.hosts.items() if name != HUB]

    def run(self, *words: str | Path) -> str:
        """A command of Slurm's; what it prints."""
        done = self.hub.run(*words, SLURM_CONF=str(self.folder / "slurm.conf"))
        assert done.returncode == 0, done.stderr
        return done.stdout

    def submit(self, script: Path, *options: str) -> str:
        """The id of the job."""
        found = re.search(r"\d+", self.run("sbatch", "--parsable", *options, script))
        assert found is not None
        return found.group()

    def states(self, job: str) -> dict[str, str]:
        """The state of each task that is not forgotten yet, by its number in the array."""
        output = self.run("squeue", "--array", "--noheader", "--states=all", "--format=%K %T %N", f"--jobs={job}")
        return {line.split()[0]: " ".join(line.split()[1:]) for line in output.splitlines() if line.strip()}

    def running_on(self, job: str) -> set[str]:
        """Names of the nodes on which tasks run."""
        return {state.split()[1] for state in self.states(job).values() if state.startswith("RUNNING")}

    def wait(self, job: str, *, limit_s: float) -> None:
        """Until no task waits or runs."""
        end = time.monotonic() + limit_s
        while left := {key: state for key, state in self.states(job).items() if state.split()[0] in UNENDED}:
            assert time.monotonic() < end, f"{left}\n{self.logs()}"
            time.sleep(0.5)

    def start_node(self, host: Host) -> None:
        host.start("slurmd", "-D", "-f", self.folder / "slurm.conf", log=self.folder / f"{host.name}.out")

    def logs(self) -> str:
        paths = sorted(self.folder.glob("*.out")) + sorted(self.folder.glob("*.log"))
        return "\n".join(f"== {path.name}\n{path.read_text(errors='replace')[-3000:]}" for path in paths)


UNENDED = {"PENDING", "RUNNING", "COMPLETING", "CONFIGURING", "REQUEUED", "SUSPENDED"}


@contextmanager
def cluster(folder: Path, nodes: Sequence[str]) -> Iterator[Slurm]:
    """Start it, and end all of it after the block."""
    with hosts(nodes) as made:
        slurm = Slurm(folder, made)
        for name in ("state", "spool"):
            (folder / name).mkdir(parents=True)
        (folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n")
        (folder / "slurm.conf").write_text(_configuration(folder, made))
        _start_munge(slurm)
        slurm.hub.start("slurmctld", "-D", "-f", folder / "slurm.conf", log=folder / "slurmctld.out")
        for host in slurm.nodes:
            slurm.start_node(host)
        _wait_for_nodes(slurm)
        yield slurm


def _start_munge(slurm: Slurm) -> None:
    """Signs what the parts of Slurm send each other. Its socket is in the folder, which all hosts see."""
    key, socket = slurm.folder / "munge.key", slurm.folder / "munge.socket"
    key.write_bytes(os.urandom(128))
    key.chmod(0o400)
    slurm.hub.start(
        "munged", "--foreground", "--force", f"--key-file={key}", f"--socket={socket}",
        f"--pid-file={slurm.folder / 'munge.pid'}", f"--log-file={slurm.folder / 'munge.log'}",
        f"--seed-file={slurm.folder / 'munge.seed'}", log=slurm.folder / "munge.out",
    )  # fmt: skip
    end = time.monotonic() + READY_S
    while not socket.exists():
        assert time.monotonic() < end, slurm.logs()
        time.sleep(0.05)


def _wait_for_nodes(slurm: Slurm) -> None:
    end = time.monotonic() + READY_S
    while True:
        done = slurm.hub.run("sinfo", "--noheader", "--format=%T %D", SLURM_CONF=str(slurm.folder / "slurm.conf"))
        if done.stdout.split() == ["idle", str(len(slurm.nodes))]:
            return
        assert time.monotonic() < end, f"{done.stdout}{done.stderr}\n{slurm.logs()}"
        time.sleep(0.2)


def _configuration(folder: Path, made: dict[str, Host]) -> str:
    lines = [
        "ClusterName=eyelevel",
        f"SlurmctldHost={HUB}({made[HUB].address})",
        # a job that is given to another node starts once its credential has expired
        f"AuthInfo=socket={folder / 'munge.socket'},cred_expire=5",
        "SlurmUser=root",
        "SlurmdUser=root",
        "ProctrackType=proctrack/linuxproc",
        "SlurmdParameters=config_overrides",
        "TaskPlugin=task/none",
        "MpiDefault=none",
        # a job has its node for itself, as films need it
        "SelectType=select/linear",
        "ReturnToService=2",
        "JobRequeue=1",
        f"SlurmdTimeout={SILENT_S}",
        "KillWait=2",
        "MinJobAge=3600",
        "SchedulerParameters=sched_interval=2,batch_sched_delay=0,requeue_setup_env_fail",
        f"StateSaveLocation={folder / 'state'}",
        f"SlurmdSpoolDir={folder / 'spool'}/%n",
        f"SlurmctldPidFile={folder / 'slurmctld.pid'}",
        f"SlurmdPidFile={folder}/%n.pid",
    ]
    nodes = [host for name, host in made.items() if name != HUB]
    lines += [f"NodeName={host.name} NodeAddr={host.address} CPUs=1 State=UNKNOWN" for host in nodes]
    lines += [f"PartitionName=main Nodes={','.join(host.name for host in nodes)} Default=YES State=UP"]
    return "\n".join(lines) + "\n"
