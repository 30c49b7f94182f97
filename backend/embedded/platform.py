"""The services of an embedded platform in start order: PostgreSQL, Valkey, web, worker, in-depth, beat."""

import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from signal import SIGINT, SIGKILL, SIGTERM, Signals

from embedded import servers
from embedded.data_folder import REPOSITORY, Layout
from embedded.supervisor import Service

WEB_START_S = 60.0
OLD_SERVER_S = 30.0
BACKEND = REPOSITORY / "backend"


@dataclass(frozen=True)
class Platform:
    """Where an embedded platform runs and as whom; `user` is None for ourselves."""

    layout: Layout
    host: str
    port: int
    user: str | None

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"

    def services(self) -> list[Service]:
        return [
            Service("PostgreSQL", self._start_postgres, SIGINT),
            Service("Valkey", self._start_valkey),
            Service("web", self._start_web),
            Service("worker", self._start_worker, SIGTERM, stop_timeout_s=15.0),
            Service("in-depth", self._start_in_depth, SIGTERM, stop_timeout_s=15.0),
            Service("beat", self._start_beat),
        ]

    def environment(self) -> dict[str, str]:
        """The settings of Django and Celery, by the variables that a deployment sets."""
        sockets = self.layout.sockets
        return {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "PYTHONPATH": str(BACKEND),
            "HOME": str(sockets),  # the caller's home may be closed to the user of the services
            "EYELEVEL_DATABASE_URL": servers.postgres_url(sockets),
            "EYELEVEL_REDIS_URL": servers.valkey_url(sockets),
            "EYELEVEL_SECRET_KEY": self.layout.secret("django"),
            "EYELEVEL_BLOB_DIR": str(self.layout.blobs),
            "EYELEVEL_SNAPSHOT_DIR": str(self.layout.snapshots),
            "EYELEVEL_ERASURE_LEDGER": str(self.layout.erasures),
            "EYELEVEL_FRONTEND_DIST": str(REPOSITORY / "frontend" / "dist"),
            "EYELEVEL_ALLOWED_HOSTS": os.environ.get("EYELEVEL_ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]"),
        }

    def manage(self, *arguments: str, **extra: str) -> str:
        """Run a management command as the user of the services; its output, or ServerError with its last words."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=BACKEND,
            env=self.environment() | extra,
            capture_output=True,
            text=True,
            check=False,
            **servers.as_user(self.user),
        )
        if done.returncode != 0:
            last = (done.stderr.strip() or "it said nothing").splitlines()[-1]
            raise servers.ServerError(f"manage.py {arguments[0]} failed: {last}")
        return done.stdout

    def _start_postgres(self) -> subprocess.Popen[bytes]:
        servers.wait_for_end_of_old(self.layout.postgres, timeout_s=OLD_SERVER_S)
        return servers.start_postgres(self.layout.postgres, self.layout.sockets, user=self.user).process

    def _start_valkey(self) -> subprocess.Popen[bytes]:
        return servers.start_valkey(self.layout.valkey, self.layout.sockets, user=self.user).process

    def _start_web(self) -> subprocess.Popen[bytes]:
        self.manage("prepare")
        gunicorn = ("gunicorn", "config.wsgi:application", "--config", "python:config.gunicorn")
        process = self._spawn("web", "-m", *gunicorn, "--bind", f"{self.host}:{self.port}")
        end = time.monotonic() + WEB_START_S
        while not answers(f"{self.url}/api/health"):
            if process.poll() is not None or time.monotonic() > end:
                process.terminate()
                raise servers.ServerError(
                    f"The web server did not answer at {self.url}; see {self.layout.logs / 'web.log'}."
                )
            time.sleep(0.1)
        return process

    def _start_worker(self) -> subprocess.Popen[bytes]:
        self.manage("restore_tasks")
        # With its supervisor it dies at once: a worker that says goodbye to a queue that is gone can hang. What it had
        # taken was not acknowledged, and is put back at the next start.
        return self._spawn_worker("worker", queue="celery")

    def _start_in_depth(self) -> subprocess.Popen[bytes]:
        return self._spawn_worker("in-depth", queue="in-depth", niceness=10)

    def _spawn_worker(self, name: str, *, queue: str, niceness: int = 0) -> subprocess.Popen[bytes]:
        options = ["--concurrency", "1", "--queues", queue, "--hostname", f"{name}@%h", "--loglevel", "info"]
        return self._spawn(name, "-m", "celery", "-A", "config", "worker", *options, die=SIGKILL, niceness=niceness)

    def _start_beat(self) -> subprocess.Popen[bytes]:
        schedule = self.layout.beat / "schedule"
        return self._spawn("beat", "-m", "celery", "-A", "config", "beat", "--schedule", str(schedule), "--pidfile", "")

    def _spawn(self, name: str, *arguments: str, die: Signals = SIGTERM, niceness: int = 0) -> subprocess.Popen[bytes]:
        log: Path = self.layout.logs / f"{name}.log"
        nicely = ["nice", "-n", str(niceness)] if niceness else []
        with log.open("ab") as output:
            return subprocess.Popen(
                [*nicely, sys.executable, *arguments],
                cwd=BACKEND,
                env=self.environment(),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
                preexec_fn=servers.die_with_parent(die),  # noqa: PLW1509 - the hook only calls prctl
                **servers.as_user(self.user),
            )


def answers(url: str) -> bool:
    """Whether a web server answers at `url`, with whatever status."""
    try:
        with urllib.request.urlopen(url, timeout=2):  # noqa: S310 - our own loopback address
            return True
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False
