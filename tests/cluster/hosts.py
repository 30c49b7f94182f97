"""Hosts on one machine: network and UTS namespaces on a bridge, each with a name and an address. Needs root."""

import os
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import processes

HUB = "hub"


@dataclass
class Host:
    """A namespace. What `start` starts, `kill` ends, with all that it has started itself."""

    name: str
    namespace: str
    address: str
    started: "list[subprocess.Popen[bytes]]" = field(default_factory=list)

    def command(self, *words: str | Path) -> list[str]:
        """The command inside the host."""
        own_name = f'hostname {self.name} && exec "$0" "$@"'
        inside = ["unshare", "--uts", "sh", "-c", own_name, *map(str, words)]
        # not `ip netns exec`, which hides what is mounted in /sys
        return ["nsenter", f"--net=/run/netns/{self.namespace}", *inside]

    def run(self, *words: str | Path, **variables: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            self.command(*words), env=os.environ | variables, capture_output=True, text=True, check=False
        )

    def start(self, *words: str | Path, log: Path, variables: Mapping[str, str] | None = None) -> int:
        """Start it and return its process id."""
        with log.open("ab") as out:
            process = subprocess.Popen(
                self.command(*words), env=os.environ | dict(variables or {}), stdout=out, stderr=out,
                stdin=subprocess.DEVNULL, start_new_session=True,
            )  # fmt: skip
        self.started.append(process)
        return process.pid

    def everything(self) -> list[int]:
        """All processes in this host's network."""
        done = subprocess.run(["ip", "netns", "pids", self.namespace], capture_output=True, text=True, check=False)
        return [int(pid) for pid in done.stdout.split()]

    def signal_all(self, number: signal.Signals, *, running: str = "") -> None:
        """To all processes in this host's network, or to those whose command line has these words."""
        for pid in self.everything():
            if running.encode() not in b" ".join(processes.words(pid)):
                continue
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                continue

    def kill(self) -> None:
        """End all processes at once, as a power cut would."""
        while self.everything():
            self.signal_all(signal.SIGKILL)
            for process in self.started:
                process.poll()
        for process in self.started:
            process.wait()
        self.started.clear()


@contextmanager
def hosts(names: Sequence[str]) -> Iterator[dict[str, Host]]:
    """The hosts, and one named `hub` with the bridge that connects them."""
    mark = f"eyl{os.getpid() % 10000}"
    made = {HUB: Host(HUB, f"{mark}-{HUB}", "10.77.0.1")}
    with ExitStack() as ends:
        _namespace(made[HUB], ends)
        _ip(made[HUB], "link", "add", "bridge", "type", "bridge")
        _ip(made[HUB], "addr", "add", "10.77.0.1/24", "dev", "bridge")
        _ip(made[HUB], "link", "set", "bridge", "up")
        for number, name in enumerate(names, start=11):
            host = made[name] = Host(name, f"{mark}-{name}", f"10.77.0.{number}")
            _namespace(host, ends)
            ends.callback(host.kill)
            _ip(
                host, "link", "add", "eth0", "type", "veth", "peer", "name", f"to{number}", "netns", made[HUB].namespace
            )
            _ip(host, "addr", "add", f"{host.address}/24", "dev", "eth0")
            _ip(host, "link", "set", "eth0", "up")
            _ip(made[HUB], "link", "set", f"to{number}", "master", "bridge", "up")
        ends.callback(made[HUB].kill)
        yield made


def _namespace(host: Host, ends: ExitStack) -> None:
    subprocess.run(["ip", "netns", "add", host.namespace], check=True)
    ends.callback(subprocess.run, ["ip", "netns", "del", host.namespace], check=False)
    _ip(host, "link", "set", "lo", "up")


def _ip(host: Host, *words: str) -> None:
    subprocess.run(["ip", "-n", host.namespace, *words], check=True)
