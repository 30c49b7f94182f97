"""Fixtures: real PostgreSQL and Valkey from wheels, and a blob folder per test."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import django
import pytest
from demands import pytest_runtest_makereport, pytest_runtest_setup
from django.conf import settings as django_settings
from django.db import connections
from draws import settle_hypothesis

from config import environment
from config.celery import app as celery_app
from embedded import processes, servers

__all__ = ["pytest_runtest_makereport", "pytest_runtest_setup"]

settle_hypothesis()
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# pytest may come here after its plug-in for Django has looked
django.setup()

from analysis.snapshots.columns import PARTS  # noqa: E402 - they need Django
from analysis.snapshots.parts import Written, parts_of  # noqa: E402
from studies.fieldings import forget_cells  # noqa: E402

# nothing here is worth the time: the folder is thrown away; 500 sessions begin at once in ratings/tests
FAST = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=600"]


@pytest.fixture(scope="session")
def services() -> Iterator[dict[str, str]]:
    """`{database, redis}`: addresses of a running PostgreSQL and Valkey, or the ones that the environment names."""
    if "EYELEVEL_DATABASE_URL" in os.environ and "EYELEVEL_REDIS_URL" in os.environ:
        yield {"database": os.environ["EYELEVEL_DATABASE_URL"], "redis": os.environ["EYELEVEL_REDIS_URL"]}
        return
    folder = Path(tempfile.mkdtemp(prefix="eyl-test-"))
    folder.chmod(0o755)
    user = processes.unprivileged_user()
    running: list[servers.Running] = []
    try:
        running.append(servers.start_postgres(folder / "pg", folder / "run", user=user, options=FAST))
        running.append(servers.start_valkey(folder / "vk", folder / "run", user=user))
        yield {"database": running[0].url, "redis": running[1].url}
    except processes.ServerError as error:
        if os.environ.get("EYELEVEL_REQUIRE"):
            raise
        pytest.skip(f"needs PostgreSQL and Valkey: {error}")
    finally:
        for server in running:
            servers.stop(server)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(services: dict[str, str]) -> None:
    """Point Django at the services before it makes the test database."""
    entry = environment.database({"EYELEVEL_DATABASE_URL": services["database"]})
    connections["default"].settings_dict.update(entry | {"CONN_MAX_AGE": 0})
    django_settings.REDIS_URL = services["redis"]
    celery_app.conf.broker_url = environment.celery_broker(services["redis"])


@pytest.fixture(autouse=True)
def _separate_folders(settings: Any, tmp_path: Path) -> None:
    settings.STORE = str(tmp_path / "store")
    settings.BLOB_STORE = f"{settings.STORE}/blobs"
    settings.SCRATCH_DIR = tmp_path / "incoming"
    # a test makes its studies anew, under the digests of the last one
    forget_cells()
    # a slow hash protects passwords, and these are none
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(autouse=True)
def _snapshots_within_a_tests_transaction(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that runs in one transaction has sent statements before, and no other connection sees its rows."""
    marker = request.node.get_closest_marker("django_db")
    if marker is not None and not marker.kwargs.get("transaction"):
        monkeypatch.setattr("analysis.snapshots.queries.ISOLATE", "SELECT 1")
        monkeypatch.setattr("analysis.snapshots.queries._parts_beside", _parts_in_this_transaction)


@contextmanager
def _parts_in_this_transaction(study_sha256: str, scratch: Path) -> Iterator[Callable[[], list[Written]]]:
    yield lambda: [part for kind in PARTS for part in parts_of(study_sha256, kind, scratch)]
