"""A bucket in place of the folders, in a real S3-compatible store."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import s3_stores

from lib import stores


@pytest.fixture(scope="session")
def s3_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[s3_stores.Server]:
    with s3_stores.serving(s3_stores.CONDITIONAL, tmp_path_factory.mktemp("s3")) as server:
        yield server


@pytest.fixture
def bucket(
    s3_server: s3_stores.Server, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    """The address of an empty bucket that the settings name as the store."""
    for name, value in s3_server.variables.items():
        monkeypatch.setenv(name, value)
    settings.STORE = f"s3://{s3_stores.BUCKET}/{tmp_path.name}-{os.getpid()}"
    settings.BLOB_STORE = f"{settings.STORE}/blobs"
    yield settings.STORE
    stores.close()
