"""Simulated participants vote over HTTP, a worker analyses by itself, and the export gives the server's own tables."""

import io
import json
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import batches
import httpx
import pytest
from django.conf import settings as django_settings
from django.db import connection
from pytest_django.live_server_helper import LiveServer
from videos import ffmpeg_is_here

from accounts.models import ApiToken, Role, Scope
from embedded.export_file import download_export
from eyelevel_stats.tables import TABLES
from lib import stores
from ratings.models import Vote
from stimuli.blobs import name_of
from testing import studies
from testing.tables import rows_in

pytestmark = [
    pytest.mark.services,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(not ffmpeg_is_here(), reason="needs ffmpeg for clips to look at"),
]

REPOSITORY = Path(django_settings.REPOSITORY)
# each rates both stacks and compares them once
PARTICIPANTS, TRIALS = 2, 3
ANALYSIS_S = EXPORT_S = 60.0
# when TCP+ and QUIC turn blue: every clip shows a difference that everybody sees
SLOW_MS, FAST_MS = 400, 100
# in the order in which `batches.folder` makes the clips of a site and network: TCP+, QUIC, both, both the other way
TURNS_MS = [(SLOW_MS, SLOW_MS), (FAST_MS, FAST_MS), (SLOW_MS, FAST_MS), (FAST_MS, SLOW_MS)]


def film(number: int) -> bytes:
    """Both halves turn from white to blue, each at its time; every number has bytes of its own."""
    half_px = batches.WIDTH_PX // 2
    turns = ",".join(
        f"drawbox=x={side * half_px}:y=0:w={half_px}:h=ih:color=blue:t=fill:enable='gte(t,{ms / 1000})'"
        for side, ms in enumerate(TURNS_MS[number % 4])
    )
    size = f"{batches.WIDTH_PX}x{batches.HEIGHT_PX}"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "clip.mp4"
        command = ["ffmpeg", "-v", "error", "-f", "lavfi", "-i"]
        command += [f"color=white:s={size}:r={batches.FRAME_RATE}:d={batches.DURATION_MS / 1000}", "-vf", turns]
        command += ["-pix_fmt", "yuv420p", "-video_track_timescale", str(10000 + 10 * number), str(path)]
        subprocess.run(command, check=True)
        return path.read_bytes()


@contextmanager
def worker(services: dict[str, str], store: str) -> Iterator[None]:
    """A Celery worker of its own process on the test's database and queue."""
    database = connection.settings_dict
    env = {**os.environ, "EYELEVEL_DATABASE_URL": "", "EYELEVEL_REDIS_URL": services["redis"]}
    env |= {f"PG{name}": str(database[key]) for name, key in DATABASE.items()}
    own_code = os.pathsep.join(str(REPOSITORY / part) for part in ("backend", "pipeline"))
    env |= {"EYELEVEL_STORE": store, "PYTHONPATH": own_code}
    # `solo`: one process, so that ending it ends all of it
    command = [sys.executable, "-m", "celery", "-A", "config", "worker", "--queues", "celery,in-depth"]
    command += ["--pool", "solo", "--loglevel", "warning"]
    with subprocess.Popen(command, env=env, cwd=REPOSITORY / "backend") as process:
        try:
            yield
        finally:
            process.kill()


DATABASE = {"DATABASE": "NAME", "USER": "USER", "PASSWORD": "PASSWORD", "HOST": "HOST", "PORT": "PORT"}


def eyelevel(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", "from eyelevel.cli import main; main()", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def fresh_results(client: httpx.Client, study: str) -> Any:
    """What the researcher's page shows once the worker has caught up."""
    end = time.monotonic() + ANALYSIS_S
    while time.monotonic() < end:
        results = client.get(f"/api/research/studies/{study}/results", params={"origin": "all"}).json()
        if results["status"] == "fresh":
            return results
        time.sleep(0.3)
    raise AssertionError(f"no fresh results within {ANALYSIS_S:.0f} s; the last status was {results['status']}")


def test_from_a_vote_to_the_same_tables_at_home(
    live_server: LiveServer, services: dict[str, str], settings: Any, tmp_path: Path
) -> None:
    folder = batches.folder(film, sites=["alpha"], networks=["DSL"])
    for sha256, data in folder.blobs.items():
        stores.blobs().put(name_of(sha256), data)
    studies.visible_batch(folder)
    owner = studies.user("rosa", Role.RESEARCHER)
    study = studies.study(
        owner=owner,
        contexts=[{"key": "work", "label": {"en": "at work", "de": "bei der Arbeit"}, "networks": ["DSL"]}],
        trials=[{"kind": "rate", "count": 2}, {"kind": "compare", "count": 1}],
    )
    token = ApiToken.issue(user=owner, name="notebook", scope=Scope.STUDIES)
    link = f"{live_server.url}/s/{study.fieldings.get().slug}"
    headers = {"Authorization": f"Bearer {token}"}
    with (
        worker(services, settings.STORE),
        httpx.Client(base_url=live_server.url, headers=headers, timeout=30) as rosa,
    ):
        counts = json.loads(
            eyelevel("simulate", "--study", link, "--participants", str(PARTICIPANTS), "--seed", "1", "--token", token)
        )
        assert (counts["simulated"], counts["completed"]) == (True, PARTICIPANTS)
        stored = Vote.objects.count()
        assert counts["votes"] == counts["receipts"] == stored == PARTICIPANTS * TRIALS - counts["skipped"]
        results = fresh_results(rosa, study.sha256)
        assert results["snapshot"]["votes"] == counts["votes"]
        assert results["simulated_sessions"] == PARTICIPANTS
        archive = download_export(rosa, study.sha256, origin="all", within_s=EXPORT_S)

    (tmp_path / "export.zip").write_bytes(archive)
    eyelevel("analyse", str(tmp_path / "export.zip"), "--origin", "all", "--out", str(tmp_path / "out"))
    with zipfile.ZipFile(io.BytesIO(archive)) as packed:
        for name in (table.file for table in TABLES.values()):
            assert (tmp_path / "out" / name).read_bytes() == packed.read(name), name
        assert (
            packed.read("mos.csv")
            .decode()
            .splitlines()[1]
            .startswith(
                ",".join(
                    str(rows_in(results, "mos")[0][key]) for key in ("site", "network", "stack", "context", "n", "mos")
                )
            )
        )
    # everybody sees 100 ms against 400 ms
    assert {row["share_a"] for row in rows_in(results, "comparisons")} == {1.0}
    assert {(row["stack_a"], row["stack_b"]) for row in rows_in(results, "comparisons")} == {("QUIC", "TCP+")}
