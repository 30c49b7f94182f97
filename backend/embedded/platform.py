"""Services of an embedded platform: PostgreSQL, Valkey, web, worker, in-depth and beat, with their dependencies."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from signal import SIGINT, SIGKILL, SIGTERM, Signals

from embedded import processes, servers
from embedded.data_folder import REPOSITORY, Layout
from embedded.supervisor import Answer, Service
from eyelevel_core.variables import default_of
from lib.own_web import own_health

BACKEND = REPOSITORY / "backend"
POSTGRES, VALKEY, WEB = "PostgreSQL", "Valkey", "web"


@dataclass(frozen=True)
class Platform:
    """Data folder, address and user of an embedded platform; `user` is None for the current user."""

    layout: Layout
    host: str
    port: int
    user: str | None

    @property
    def url(self) -> str:
        return f"http://{self._address}"

    @property
    def _address(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def services(self) -> list[Service]:
        layout = self.layout
        return [
            Service(
                POSTGRES,
                launch=lambda: servers.launch_postgres(layout.postgres, layout.sockets, user=self.user),
                answers=lambda: servers.postgres_answers(layout.sockets),
                leftovers=lambda: servers.postgres_leftovers(layout.postgres),
                log=layout.folder / "postgres.log",
                stop_signal=SIGINT,
            ),
            Service(
                VALKEY,
                launch=lambda: servers.launch_valkey(layout.valkey, layout.sockets, user=self.user),
                answers=lambda: servers.valkey_answers(layout.sockets),
                leftovers=lambda: servers.valkey_leftovers(layout.valkey),
                log=layout.folder / "valkey.log",
            ),
            self._python(WEB, needs=(POSTGRES, VALKEY), answers=lambda: answers(self.url)),
            # A worker is killed with its supervisor, because it could hang while it disconnects from a stopped queue.
            # Its tasks were not acknowledged, and are requeued at the next start.
            self._python("worker", needs=(WEB,), dies_by=SIGKILL, stop_timeout_s=15.0),
            self._python("in-depth", needs=(WEB,), dies_by=SIGKILL, stop_timeout_s=15.0),
            self._python("beat", needs=(WEB,)),
        ]

    def make_folders(self) -> None:
        """Create the folders that services write to; raises ServerError if the files are in another store."""
        layout = self.layout
        layout.keep_store(os.environ.get("EYELEVEL_STORE", ""))
        for folder in (*layout.stores, layout.logs, layout.beat):
            processes.make_private(folder, user=self.user)

    @contextmanager
    def engines(self) -> Iterator[None]:
        """Run only PostgreSQL and Valkey, for a command on a stopped platform."""
        self.make_folders()
        layout, running = self.layout, []
        try:
            running.append(servers.start_postgres(layout.postgres, layout.sockets, user=self.user))
            running.append(servers.start_valkey(layout.valkey, layout.sockets, user=self.user))
            yield
        finally:
            for server in reversed(running):
                servers.stop(server)

    def environment(self) -> dict[str, str]:
        """The environment variables with the settings of Django and Celery."""
        sockets = self.layout.sockets
        return {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
            "PYTHONPATH": str(BACKEND),
            "HOME": str(sockets),  # the caller's home may be closed to the user of the services
            "EYELEVEL_SERVICES_FILE": str(self.layout.services),
            "EYELEVEL_BIND": self._address,
            "EYELEVEL_WORKERS": os.environ.get("EYELEVEL_WORKERS", "1"),
            "EYELEVEL_BEAT_SCHEDULE": str(self.layout.beat / "schedule"),
            "EYELEVEL_DATABASE_URL": servers.postgres_url(sockets),
            "EYELEVEL_REDIS_URL": servers.valkey_url(sockets),
            "EYELEVEL_SECRET_KEY": self.layout.secret("django"),
            # an operator's variables are meant for containers
            "EYELEVEL_SECRET_KEY_FILE": "",
            "EYELEVEL_DATABASE_PASSWORD": "",
            "EYELEVEL_DATABASE_PASSWORD_FILE": "",
            "EYELEVEL_REDIS_PASSWORD": "",
            "EYELEVEL_REDIS_PASSWORD_FILE": "",
            "EYELEVEL_STORE": self.layout.store(os.environ.get("EYELEVEL_STORE", "")),
            "EYELEVEL_BLOB_STORE": "",
            "EYELEVEL_SCRATCH_DIR": str(self.layout.incoming),
            "EYELEVEL_FRONTEND_DIST": str(REPOSITORY / "frontend" / "dist"),
            "EYELEVEL_ALLOWED_HOSTS": os.environ.get("EYELEVEL_ALLOWED_HOSTS", default_of("EYELEVEL_ALLOWED_HOSTS")),
        }

    def manage(self, *arguments: str, **extra: str) -> str:
        """Run a management command as the user of the services; returns its output, or raises ServerError."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=BACKEND,
            env=self.environment() | extra,
            capture_output=True,
            text=True,
            check=False,
            **processes.as_user(self.user),
        )
        if done.returncode != 0:
            last = (done.stderr.strip() or "it printed no message").splitlines()[-1]
            raise processes.ServerError(f"manage.py {arguments[0]} failed: {last}")
        return done.stdout

    def _python(
        self,
        name: str,
        *,
        needs: tuple[str, ...],
        answers: Callable[[], Answer] = lambda: Answer.YES,
        dies_by: Signals = SIGTERM,
        stop_timeout_s: float = 20.0,
    ) -> Service:
        mark, log = f"{self.layout.folder}:{name}", self.layout.logs / f"{name}.log"

        def launch() -> subprocess.Popen[bytes]:
            environment = self.environment() | {processes.SERVICE_VARIABLE: mark}
            return processes.spawn(
                [str(BACKEND / "entrypoint"), name],
                folder=BACKEND,
                log=log,
                user=self.user,
                environment=environment,
                dies_by=dies_by,
            )

        return Service(
            name,
            launch=launch,
            answers=answers,
            needs=needs,
            leftovers=lambda: processes.marked(mark),
            log=log,
            stop_timeout_s=stop_timeout_s,
        )


def answers(url: str) -> Answer:
    """Whether the platform's web server answers at `url`, with any status."""
    try:
        own_health(url, os.environ, timeout_s=2)
    except OSError:
        return Answer.SILENT
    return Answer.YES
