"""Data folders of earlier versions are served by this one, whatever kills the upgrade; newer ones are refused."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import platform_process
import processes
import psycopg
import pytest
from haystack import database
from platform_process import Platform

from embedded import servers
from embedded.data_folder import Layout
from embedded.platform import Platform as Embedded
from embedded.processes import unprivileged_user
from lib.data_version import DATA_VERSION

pytestmark = [pytest.mark.services]

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
VERSIONS = sorted(FIXTURES.glob("data-*.backup"))
OLDER = [path for path in VERSIONS if path != FIXTURES / f"data-{DATA_VERSION}.backup"]
# of the earlier versions, the oldest needs every migration, and the newest is what most operators have; others: soak
EACH = [pytest.param(path, id=path.stem, marks=[pytest.mark.soak] if path in OLDER[1:-1] else []) for path in VERSIONS]
WAIT_S = 120.0
# of fixtures/make_data.py, without those of the person who was erased
VOTES = 13


@pytest.fixture
def data() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="eyl-"))
    folder.chmod(0o755)
    yield folder
    platform_process.wait_until_none_uses(folder)
    shutil.rmtree(folder, ignore_errors=True)


def lay_out(backup: Path, data: Path) -> None:
    """Make the data folder as the version of the backup left it: its tables are not brought up to date."""
    layout, user = Layout(data), unprivileged_user()
    embedded = Embedded(layout, "127.0.0.1", 0, user)
    with tarfile.open(backup) as entries:
        entries.extractall(data / "taken", filter="data")
    with embedded.engines():
        load = [servers.find_postgres_binaries() / "pg_restore", "--no-owner", "--exit-on-error"]
        url = servers.postgres_url(layout.sockets)
        subprocess.run([*load, f"--dbname={url}", data / "taken" / "database.dump"], check=True)
    for blob in (data / "taken" / "blobs").iterdir():
        place = layout.blobs / blob.name[:2] / blob.name
        place.parent.mkdir(exist_ok=True)
        blob.rename(place)
    for snapshot in (data / "taken" / "snapshots").iterdir():
        snapshot.rename(layout.snapshots / snapshot.name)
    shutil.move(data / "taken" / "erasures.jsonl", layout.erasures / "ledger.jsonl")
    shutil.rmtree(data / "taken")
    # the services' user made none of it
    subprocess.run(
        ["chown", "-R", "--reference", layout.blobs, layout.snapshots, layout.blobs, layout.erasures], check=True
    )


def scalar(data: Path, query: str) -> Any:
    with psycopg.connect(database(data)) as connection:
        row = connection.execute(query).fetchone()  # type: ignore[call-overload]
    return row[0] if row else None


def assert_served(platform: Platform) -> None:
    """The study is there with its votes and results, the erased person is not, and people can take part."""
    assert (
        scalar(platform.data, "SELECT max(number) FROM backups_dataversion WHERE ended_at IS NOT NULL") == DATA_VERSION
    )
    assert scalar(platform.data, "SELECT count(*) FROM ratings_vote WHERE erased_at IS NULL") == VOTES
    headers = {"Authorization": f"Bearer {platform.secret('studies-token')}"}
    study = scalar(platform.data, "SELECT sha256 FROM studies_study")
    address = f"{platform.url}/api/research/studies/{study}/results?origin=all"
    end = time.monotonic() + WAIT_S
    while (found := httpx.get(address, headers=headers, timeout=30).json())["status"] != "fresh":
        assert time.monotonic() < end, found["status"]
        time.sleep(0.5)
    assert found["snapshot"]["votes"] == VOTES
    slug = scalar(platform.data, "SELECT slug FROM studies_fielding")
    output = platform.eyelevel(
        *("simulate", "--study", f"{platform.url}/s/{slug}", "--participants", "1", "--seed", "9"), scope="studies"
    )
    assert json.loads(output)["receipts"] == 5


@contextmanager
def serving(data: Path) -> Iterator[Platform]:
    platform = platform_process.start(data)
    try:
        yield platform
    finally:
        platform_process.stop(platform)


@pytest.mark.parametrize("backup", EACH)
def test_a_folder_of_each_version_is_served(backup: Path, data: Path) -> None:
    lay_out(backup, data)
    with serving(data) as platform:
        assert_served(platform)
        names = scalar(data, "SELECT string_agg(datname, ' ') FROM pg_database")
        assert ("eyelevel_before" in names) == (backup in OLDER), "a restore point is made where something changes"


class Locked:
    """A connection that keeps others from changing a table, so that an upgrade stops where a test wants it to."""

    def __init__(self, data: Path, table: str, mode: str) -> None:
        self._connection = psycopg.connect(database(data))
        self._connection.execute(f"LOCK TABLE {table} IN {mode} MODE")  # type: ignore[call-overload]

    def release(self) -> None:
        self._connection.close()


def wait_for(fact: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT_S
    while not fact():
        assert time.monotonic() < end
        time.sleep(0.1)


def is_waiting(data: Path, words: str) -> bool:
    """Whether somebody waits for a lock in a statement with these words."""
    query = "SELECT string_agg(query, ' ') FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    return words in (scalar(data, query) or "")


# where the upgrade is stopped: the table that it waits for, how that is locked, and the statement that waits
MOMENTS = {
    "while the restore point is made": ("ratings_vote", "ACCESS EXCLUSIVE", "ratings_vote"),
    "in the first migration": ("django_migrations", "SHARE ROW EXCLUSIVE", "django_migrations"),
    "before the new version is noted": ("backups_dataversion", "SHARE ROW EXCLUSIVE", "backups_dataversion"),
}


@pytest.mark.soak
@pytest.mark.parametrize("moment", MOMENTS)
def test_an_upgrade_that_is_killed_goes_on_at_the_next_start(moment: str, data: Path) -> None:
    lay_out(OLDER[-1], data)
    table, mode, words = MOMENTS[moment]
    with Embedded(Layout(data), "127.0.0.1", 0, unprivileged_user()).engines():
        before = scalar(data, "SELECT count(*) FROM django_migrations")
        lock = Locked(data, table, mode)
        prepare = upgrade_process(data)
        wait_for(lambda: is_waiting(data, words) or prepare.poll() is not None)
        assert prepare.poll() is None, "the upgrade was over before it could be stopped"
        prepare.kill()
        prepare.wait()
        lock.release()
    with serving(data) as platform:
        assert_served(platform)
        copied = psycopg.connect(database(data).replace("/eyelevel?", "/eyelevel_before?"))
        with copied:
            row = copied.execute("SELECT count(*) FROM django_migrations").fetchone()
        assert row == (before,), "the restore point is what was there before the upgrade began"


def upgrade_process(data: Path) -> subprocess.Popen[bytes]:
    """What a starting web server does first."""
    embedded = Embedded(Layout(data), "127.0.0.1", 0, unprivileged_user())
    backend = Path(servers.__file__).parents[1]
    return subprocess.Popen([sys.executable, "manage.py", "prepare"], cwd=backend, env=embedded.environment())


def test_a_newer_folder_is_refused_in_one_sentence(data: Path) -> None:
    lay_out(VERSIONS[-1], data)
    with Embedded(Layout(data), "127.0.0.1", 0, unprivileged_user()).engines(), psycopg.connect(database(data)) as db:
        db.execute("INSERT INTO backups_dataversion (number, begun_at) VALUES (%s, now())", [DATA_VERSION + 1])
    command = [sys.executable, "-m", "eyelevel", "serve", "--data", str(data), "--port", "0"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=WAIT_S)
    assert done.returncode == 1
    assert f"The data have version {DATA_VERSION + 1}, but this Eyelevel reads version {DATA_VERSION}" in done.stderr
    assert not [pid for pid in processes.naming(data) if pid != os.getpid()]
