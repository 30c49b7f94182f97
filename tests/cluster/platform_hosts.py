"""The platform on several hosts: each has a web server and a worker, and a disk that no other one sees.

PostgreSQL, Valkey and an S3-compatible store are all that they share; nginx in front has the product's configuration.
The hosts are folders of one machine: a process gets nothing of another host's but by these three.
"""

import contextlib
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import processes
import s3_stores
from compose import proxy
from platform_process import Platform

from embedded import servers
from embedded.data_folder import Layout
from embedded.processes import unprivileged_user

BACKEND = Path(__file__).resolve().parents[2] / "backend"
READY_S = 120.0
# until nginx has begun to work by its new configuration
RELOADED_S = 1.0
# hosts' names of services that run once per host, and of those that run once
EACH, ONCE = ("web", "worker"), ("in-depth", "beat")


@dataclass
class Service:
    """A process of the platform on a host; `environment` names the host's own disk."""

    name: str
    environment: dict[str, str]
    log: Path
    process: "subprocess.Popen[bytes] | None" = None

    def start(self) -> None:
        with self.log.open("ab") as out:
            self.process = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", BACKEND / "entrypoint", self.name],
                env=self.environment, stdout=out, stderr=out, start_new_session=True,
            )  # fmt: skip

    def kill(self) -> None:
        """End it and what it started by force."""
        assert self.process is not None
        for pid in processes.descendants(self.process.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """End it as a rolling update does: it finishes what it has begun."""
        assert self.process is not None
        self.process.terminate()
        self.process.wait(60)


@dataclass
class Front:
    """Nginx with the product's configuration, in which one name has the addresses of all hosts."""

    folder: Path
    port: int
    ports: dict[str, int]
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        (self.folder / "blobs").mkdir(parents=True)
        self.process = subprocess.Popen(proxy.command(self._fill(self.ports)))
        _wait_for(lambda: _is_open(self.port), self.folder)

    def stop(self) -> None:
        assert self.process is not None
        self.process.terminate()
        self.process.wait()

    def leave_out(self, *hosts: str) -> None:
        """Send no more requests to these hosts, as a Service does once their pods are to end; nginx asks by DNS."""
        assert self.process is not None
        self._fill({host: port for host, port in self.ports.items() if host not in hosts})
        self.process.send_signal(signal.SIGHUP)
        time.sleep(RELOADED_S)

    def _fill(self, ports: dict[str, int]) -> Path:
        file = proxy.filled(self.folder, port=self.port, web="http://web")
        # a name's addresses are tried each time, whatever came before
        pool = "".join(f"    server 127.0.0.1:{port} max_fails=0;\n" for port in ports.values())
        text = file.read_text()
        file.write_text(text.replace("  server {\n", f"  upstream web {{\n{pool}  }}\n\n  server {{\n", 1))
        return file


@dataclass
class Hosts:
    """`platform` is what people see: the address of the proxy. `ports` are those of the hosts' web servers."""

    platform: Platform
    front: Front
    services: dict[tuple[str, str], Service] = field(default_factory=dict)
    ports: dict[str, int] = field(default_factory=dict)

    def service(self, host: str, name: str) -> Service:
        return self.services[host, name]

    def wait_until_web_answers(self, host: str) -> None:
        _wait_for(lambda: _answers(self.ports[host]), self.service(host, "web").log)

    def manage(self, *words: str, **variables: str) -> str:
        environment = next(iter(self.services.values())).environment | variables
        done = subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=BACKEND,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def files(self) -> dict[str, list[Path]]:
        """What lies on the disk of each host, beside logs."""
        found: dict[str, list[Path]] = {}
        for (host, _), service in self.services.items():
            scratch = Path(service.environment["EYELEVEL_SCRATCH_DIR"])
            found[host] = [path for path in scratch.rglob("*") if path.is_file()]
        return found


@contextmanager
def running(folder: Path, *, hosts: tuple[str, ...] = ("a", "b")) -> Iterator[Hosts]:
    """Start it all and wait until it is well; the folder's name must be short, for sockets."""
    layout, user = Layout(folder / "shared"), unprivileged_user()
    for needed in (layout.folder, layout.folder / "secrets"):
        needed.mkdir(parents=True)
    with ExitStack() as ends:
        postgres = servers.start_postgres(layout.postgres, layout.sockets, user=user)
        ends.callback(servers.stop, postgres)
        valkey = servers.start_valkey(layout.valkey, layout.sockets, user=user)
        ends.callback(servers.stop, valkey)
        store = ends.enter_context(s3_stores.serving(s3_stores.CONDITIONAL, folder / "store"))
        ports = {host: _free_port() for host in hosts}
        shared = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("EYELEVEL_", "AWS_"))},
            **store.variables,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "EYELEVEL_DATABASE_URL": postgres.url,
            "EYELEVEL_REDIS_URL": valkey.url,
            "EYELEVEL_SECRET_KEY": secrets.token_urlsafe(48),
            "EYELEVEL_STORE": f"s3://{s3_stores.BUCKET}/platform",
            "EYELEVEL_X_ACCEL": "1",
            "EYELEVEL_WORKERS": "1",
        }
        supervisor = subprocess.Popen(["true"])  # these services have none
        supervisor.wait()
        front = Front(folder / "proxy", _free_port(), ports)
        cluster = Hosts(Platform(layout.folder, supervisor, f"http://127.0.0.1:{front.port}"), front, ports=ports)
        ends.callback(_end, cluster)
        for host in hosts:
            names = EACH if host != hosts[0] else (*EACH, *ONCE)
            for name in names:
                disk = folder / host
                disk.mkdir(exist_ok=True)
                environment = shared | {
                    "EYELEVEL_BIND": f"127.0.0.1:{ports[host]}",
                    "EYELEVEL_SCRATCH_DIR": str(disk / "scratch"),
                    "EYELEVEL_BEAT_SCHEDULE": str(disk / "beat"),
                    "TMPDIR": str(disk),
                }
                service = cluster.services[host, name] = Service(name, environment, disk / f"{name}.log")
                service.start()
        for host in hosts:
            cluster.wait_until_web_answers(host)
        front.start()
        ends.callback(front.stop)
        _wait_for(lambda: _is_well(cluster.platform.url), cluster.service(hosts[0], "worker").log)
        _make_tokens(cluster, layout)
        yield cluster


def _make_tokens(cluster: Hosts, layout: Layout) -> None:
    passwords = {f"EYELEVEL_DEMO_{role}_PASSWORD": secrets.token_urlsafe(24) for role in ("RESEARCHER", "ADMIN")}
    answer = json.loads(cluster.manage("ensure_accounts", EYELEVEL_DEMO_ACCOUNTS="1", **passwords))
    for scope, token in answer["tokens"].items():
        layout.keep_secret(f"{scope}-token", token)


def _end(cluster: Hosts) -> None:
    for service in cluster.services.values():
        if service.process is not None and service.process.poll() is None:
            service.kill()


def _wait_for(fact: Callable[[], bool], log: Path) -> None:
    end = time.monotonic() + READY_S
    while not fact():
        assert time.monotonic() < end, log.read_text(errors="replace")[-4000:]
        time.sleep(0.1)


def _is_well(url: str) -> bool:
    try:
        return httpx.get(f"{url}/api/health", timeout=5, trust_env=False).status_code == httpx.codes.OK
    except httpx.HTTPError:
        return False


def _answers(port: int) -> bool:
    try:
        answer = httpx.get(f"http://127.0.0.1:{port}/api/health", timeout=5, trust_env=False)
    except httpx.HTTPError:
        return False
    return bool(answer.json().get("database"))


def _is_open(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
    return port
