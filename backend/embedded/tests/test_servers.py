"""The engines start for real, keep their data, and leave nothing behind."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import redis

from embedded import processes, servers


@pytest.fixture
def folder() -> Iterator[Path]:
    # pytest's own folders are closed to other users and too deep for a socket
    path = Path(tempfile.mkdtemp(prefix="eyl-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


def start_postgres(folder: Path) -> servers.Running:
    return servers.start_postgres(
        folder / "pg", folder / "run", user=processes.unprivileged_user(), options=["fsync=off"]
    )


def has_ended(pid: int) -> bool:
    for _ in range(200):
        try:
            status = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except OSError:
            return True
        if status == "Z":
            return True
        time.sleep(0.05)
    return False


@pytest.mark.services
def test_postgres_keeps_its_data_over_a_restart(folder: Path) -> None:
    first = start_postgres(folder)
    with psycopg.connect(first.url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS number")
    servers.stop(first)
    assert first.process.returncode == 0
    second = start_postgres(folder)
    try:
        with psycopg.connect(second.url) as connection:
            assert connection.execute("SELECT number FROM kept").fetchall() == [(7,)]
    finally:
        servers.stop(second)


@pytest.mark.services
def test_postgres_has_no_tcp_port_and_is_not_root(folder: Path) -> None:
    running = start_postgres(folder)
    try:
        with psycopg.connect(running.url) as connection:
            assert connection.execute("SHOW listen_addresses").fetchone() == ("",)
        assert Path(f"/proc/{running.process.pid}").stat().st_uid != 0
        assert (folder / "run").stat().st_mode & 0o077 == 0
    finally:
        servers.stop(running)


@pytest.mark.services
def test_data_of_another_major_is_not_touched(folder: Path) -> None:
    (folder / "pg").mkdir()
    (folder / "pg" / "PG_VERSION").write_text("9\n")
    with pytest.raises(processes.ServerError, match=r"^PostgreSQL 9 is not installed"):
        start_postgres(folder)


@pytest.mark.services
def test_valkey_keeps_its_queue_over_a_restart(folder: Path) -> None:
    for expected in (1, 2):
        running = servers.start_valkey(folder / "vk", folder / "run", user=processes.unprivileged_user())
        try:
            with redis.Redis.from_url(running.url) as client:
                assert client.rpush("queue", "job") == expected
        finally:
            servers.stop(running)


@pytest.mark.services
def test_a_killed_parent_takes_its_servers_with_it(folder: Path) -> None:
    program = (
        "import sys, time; from pathlib import Path; from embedded import processes, servers; f = Path(sys.argv[1])\n"
        "v = servers.start_valkey(f / 'vk', f / 'run', user=processes.unprivileged_user())\n"
        "p = servers.start_postgres(f / 'pg', f / 'run', user=processes.unprivileged_user(), options=['fsync=off'])\n"
        "print(v.process.pid, p.process.pid, flush=True); time.sleep(60)"
    )
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, "-c", program, str(folder)], cwd=root, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        pids = [int(pid) for pid in parent.stdout.readline().split()]
        parent.send_signal(signal.SIGKILL)
    assert [has_ended(pid) for pid in pids] == [True, True]


def test_a_socket_path_that_is_too_long_is_named(folder: Path) -> None:
    deep = folder / ("x" * 100)
    with pytest.raises(processes.ServerError, match="too long for a unix socket"):
        servers.start_valkey(folder / "vk", deep, user=None)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can hide a folder from another user")
def test_a_folder_that_the_user_cannot_enter_is_named(folder: Path) -> None:
    hidden = folder / "hidden"
    hidden.mkdir(mode=0o700)
    with pytest.raises(processes.ServerError, match=rf"^The user nobody cannot enter {hidden},"):
        processes.check_reachable(hidden / "file", user="nobody")
    processes.check_reachable(hidden / "file", user=None)
