"""Backs up a platform while people vote, restores it elsewhere, and compares; the commands as a person types them."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import platform_process
import psycopg
import pytest
from browser.studies import shortened
from haystack import database
from platform_process import Platform

pytestmark = [pytest.mark.services]

PASSPHRASE = "correct horse battery staple"


@pytest.fixture
def elsewhere() -> Iterator[Path]:
    """An empty folder where every user may go, as on another machine."""
    folder = Path(tempfile.mkdtemp(prefix="eyl-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def eyelevel(*arguments: str | Path, passphrase: str = PASSPHRASE) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "eyelevel", *map(str, arguments)],
        env={**os.environ, "EYELEVEL_BACKUP_PASSPHRASE": passphrase},
        capture_output=True,
        text=True,
        check=False,
    )


def simulate(platform: Platform, slug: str, *, seed: int, people: int) -> dict[str, Any]:
    output = platform.eyelevel(
        *("simulate", "--study", f"{platform.url}/s/{slug}", "--participants", str(people), "--seed", str(seed)),
        scope="studies",
    )
    counted: dict[str, Any] = json.loads(output)
    return counted


def votes_in(data: Path) -> dict[uuid.UUID, tuple[Any, ...]]:
    with psycopg.connect(database(data)) as connection:
        rows = connection.execute("SELECT id, session_id, position, data, received_at FROM ratings_vote").fetchall()
    return {row[0]: row[1:] for row in rows}


@contextmanager
def served(data: Path) -> Iterator[Platform]:
    platform = platform_process.start(data)
    try:
        yield platform
    finally:
        platform_process.stop(platform)


def test_a_backup_made_while_people_vote_is_restored_elsewhere(
    platform: Platform, tmp_path: Path, elsewhere: Path
) -> None:
    study = platform.publish_file(shortened(tmp_path, name="backed-up", rate=3, compare=2))
    slug = study["fieldings"][0]["slug"]
    simulate(platform, slug, seed=1, people=3)
    acknowledged = votes_in(platform.data)
    voting = threading.Thread(target=simulate, args=(platform, slug), kwargs={"seed": 2, "people": 4})
    voting.start()
    file = tmp_path / "eyelevel.backup"
    done = eyelevel("backup", file, "--data", platform.data)
    voting.join()
    assert done.returncode == 0, done.stderr
    assert f"Wrote {file}." in done.stderr
    assert [path.name for path in tmp_path.iterdir() if "backup" in path.name] == ["eyelevel.backup"]
    later = votes_in(platform.data)

    restored = eyelevel("restore", file, "--data", elsewhere / "data")
    assert restored.returncode == 0, restored.stderr
    assert "byte for byte" in restored.stderr or "not analysed yet" in restored.stderr
    with served(elsewhere / "data") as other:
        votes = votes_in(other.data)
        assert acknowledged.items() <= votes.items() <= later.items()
        headers = {"Authorization": f"Bearer {other.secret('studies-token')}"}
        found = httpx.get(f"{other.url}/api/research/studies/{study['sha256']}", headers=headers, timeout=30)
        assert found.json()["name"] == "backed-up"
        # people take part there, and see the clips
        assert simulate(other, slug, seed=3, people=1)["receipts"] == 5
        assert re.search(
            r"^Last backup: \d.* ago, passed$", eyelevel("status", "--data", other.data).stdout, re.MULTILINE
        )
        drilled = eyelevel("restore", "--drill", "--data", other.data)
        assert drilled.returncode == 0, drilled.stderr
    wrong = eyelevel("restore", file, "--data", elsewhere / "data", "--yes", passphrase="wrong")
    assert wrong.returncode == 4
    sentence = "The backup cannot be decrypted: the key or passphrase is not the one that it was made with."
    assert wrong.stderr.splitlines()[-1] == f"eyelevel: {sentence}"


def test_a_running_platform_is_not_replaced(platform: Platform, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x")
    done = eyelevel("restore", tmp_path / "file", "--data", platform.data, "--yes")
    assert done.returncode == 1
    assert f"is already running at {platform.url} (process {platform.process.pid}); stop it first" in done.stderr


@pytest.mark.root
def test_a_disk_that_fills_up_leaves_no_file(platform: Platform, elsewhere: Path) -> None:
    small = elsewhere / "small"
    small.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", small], check=True)
    try:
        asked = eyelevel("backup", small / "file", "--data", platform.data)
        assert (asked.returncode, list(small.iterdir())) == (8, []), asked.stderr
        assert "free, but the backup may need" in asked.stderr
    finally:
        subprocess.run(["umount", small], check=True)
