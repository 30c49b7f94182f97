"""A platform that listens, and a batch folder to send."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from batches import Folder, folder

from .platform_server import Handler, State, serving


@pytest.fixture
def server() -> Iterator[State]:
    state = State()
    with serving(type("OneServer", (Handler,), {"state": state})) as url:
        state.url = url
        yield state


@pytest.fixture
def made() -> Folder:
    """A batch of three files: campaign.toml, a take, and a clip, which only ffprobe would see to be no video."""
    return folder(lambda _: bytes(range(256)) * 4096, sites=["garden"], networks=["DSL"], stacks=["QUIC"])


@pytest.fixture
def batch_dir(tmp_path: Path, made: Folder) -> Path:
    made.write(tmp_path)
    return tmp_path
