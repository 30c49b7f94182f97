"""oTree in an environment of its own, as its production server runs, on the platform's PostgreSQL."""

import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import psycopg
from bench.faults.stored import DURABLE

from embedded import processes, servers
from embedded.serve import free_port

HOME = Path(__file__).parent
BIN = HOME / ".venv" / "bin"
START_S = 60.0


@dataclass(frozen=True)
class Otree:
    """A running server with an empty database."""

    url: str
    services: dict[str, list[int]]
    database: str
    rest_key: str

    def make_participants(self, count: int) -> str:
        """A session of so many participants; the path of the link by which they join."""
        asked = {"session_config_name": "seven", "num_participants": count}
        headers = {"otree-rest-key": self.rest_key}
        answer = httpx.post(f"{self.url}/api/sessions", json=asked, headers=headers, timeout=300, trust_env=False)
        if answer.status_code != httpx.codes.OK:
            raise SystemExit(f"oTree made no session: {answer.status_code} {answer.text[:200]}")
        return str(urlsplit(answer.json()["session_wide_url"]).path)

    def stored(self) -> int:
        """Answers in its database."""
        with psycopg.connect(self.database) as connection:
            row = connection.execute("SELECT count(score) FROM seven_player").fetchone()
        return 0 if row is None else int(row[0])

    def commit_settings(self) -> dict[str, str]:
        with psycopg.connect(self.database) as connection:
            return {name: str(connection.execute(f"SHOW {name}").fetchone()[0]) for name in DURABLE}  # type: ignore[index]


def install() -> None:
    """Get what the lock names, once."""
    ready = HOME / ".venv" / ".installed"
    if ready.exists():
        return
    pip = [str(BIN / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes"]
    for command in ([sys.executable, "-m", "venv", str(HOME / ".venv")], [*pip, "-r", str(HOME / "requirements.lock")]):
        done = subprocess.run(command, stdout=sys.stderr, check=False)
        if done.returncode != 0:
            raise SystemExit(f"oTree could not be installed: {command[0]} ended with status {done.returncode}.")
    ready.touch()


@contextmanager
def running(rounds: int) -> Iterator[Otree]:
    """A server whose app has so many rounds, on a fresh database."""
    folder = Path(tempfile.mkdtemp(prefix="eyl-otree-"))
    folder.chmod(0o755)
    user = processes.unprivileged_user()
    try:
        shutil.copytree(HOME / "project", folder / "project", ignore=shutil.ignore_patterns("__pycache__"))
        # it asks for the folder, which git would not keep empty
        (folder / "project" / "_static").mkdir()
        postgres = servers.start_postgres(folder / "postgres", folder / "run", user=user)
        try:
            with _web(folder, postgres.url, rounds) as (url, web, key):
                yield Otree(url, {"PostgreSQL": [postgres.process.pid], "web": [web.pid]}, postgres.url, key)
        finally:
            postgres.process.send_signal(signal.SIGINT)
            postgres.process.wait(60)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _web(folder: Path, database: str, rounds: int) -> Iterator[tuple[str, subprocess.Popen[bytes], str]]:
    port, key = free_port("127.0.0.1", 0), secrets.token_urlsafe(16)
    environment = os.environ | {
        # its server starts its helper by the name `otree`
        "PATH": f"{BIN}:{os.environ['PATH']}",
        "DATABASE_URL": database,
        "OTREE_PRODUCTION": "1",
        "OTREE_AUTH_LEVEL": "STUDY",
        "OTREE_ADMIN_PASSWORD": secrets.token_urlsafe(16),
        "OTREE_SECRET_KEY": secrets.token_urlsafe(32),
        "OTREE_REST_KEY": key,
        "EYELEVEL_BENCH_ROUNDS": str(rounds),
    }
    project, url = folder / "project", f"http://127.0.0.1:{port}"
    with (folder / "web.log").open("wb") as log:
        prepared = subprocess.run(
            [str(BIN / "otree"), "resetdb", "--noinput"],
            cwd=project,
            env=environment,
            stdout=log,
            stderr=log,
            check=False,
        )
        if prepared.returncode != 0:
            raise SystemExit(f"oTree made no database: {(folder / 'web.log').read_text()[-400:]}")
        # with its helper in one group, which ends with it
        process = subprocess.Popen(
            [str(BIN / "otree"), "prodserver", f"127.0.0.1:{port}"],
            cwd=project,
            env=environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            _wait(url, process, folder / "web.log")
            yield url, process, key
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(30)


def _wait(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + START_S
    while time.monotonic() < end and process.poll() is None:
        try:
            httpx.get(f"{url}/api/otree_version", timeout=5, trust_env=False)
        except httpx.TransportError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit(f"oTree did not start: {log.read_text()[-400:]}")
