"""A platform that listens, and a batch folder to send."""

import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from batches import Folder, folder
from videos import real_video

from .platform_server import Handler, State, serving

PADDING_BYTES = 1024**2


@pytest.fixture
def server() -> Iterator[State]:
    state = State()
    with serving(type("OneServer", (Handler,), {"state": state})) as url:
        state.url = url
        yield state


def padded(video: bytes) -> bytes:
    """The same video with a free box (ISO/IEC 14496-12, 8.1.2), so that its transfer can break off in the middle."""
    return video + struct.pack(">I4s", 8 + PADDING_BYTES, b"free") + bytes(PADDING_BYTES)


@pytest.fixture
def small_batch() -> Folder:
    """A batch of three files: campaign.toml, a take, and a clip of a megabyte."""
    return folder(lambda number: padded(real_video(number)), sites=["garden"], networks=["DSL"], stacks=["QUIC"])


@pytest.fixture
def batch_dir(tmp_path: Path, small_batch: Folder) -> Path:
    small_batch.write(tmp_path)
    return tmp_path
