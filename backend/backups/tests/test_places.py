"""A backup that goes into a bucket is there whole or not at all."""

import re

import pytest
from s3_stores import BUCKET, Server

from backups.errors import BackupError
from backups.places import destination, origin
from eyelevel_store import Store, open_store
from testing.bucket import bucket, s3_server

__all__ = ["bucket", "s3_server"]

pytestmark = pytest.mark.stores


@pytest.fixture
def backups(bucket: str) -> Store:
    """Where the backups of a test go."""
    return open_store(f"{bucket}/backups")


def write(place: str, data: bytes, error: Exception | None = None) -> None:
    with destination(place) as out:
        out.write(data)
        if error is not None:
            raise error


def test_what_is_written_is_read_again(backups: Store) -> None:
    data = bytes(range(256)) * 1000
    write(f"{backups.address}/2026/one", data)
    with origin(f"{backups.address}/2026/one") as source:
        assert source.read() == data
    assert [stored.key for stored in backups.list()] == ["2026/one"]


def test_a_backup_that_fails_leaves_no_object(backups: Store, s3_server: Server) -> None:
    with pytest.raises(BackupError, match="no room"):
        write(f"{backups.address}/one", b"x" * 100_000, BackupError("no room"))
    assert list(backups.list()) == []


def test_a_store_that_fails_is_named(backups: Store) -> None:
    with pytest.raises(
        BackupError, match=r"^s3://elsewhere/one cannot be written: .*NoSuchBucket.* Nothing was stored"
    ):
        write("s3://elsewhere/one", b"x" * 1_000_000)
    place = f"s3://{BUCKET}/none"
    sentence = rf"^{re.escape(place)} cannot be read: .*NoSuchKey.*Check the name"
    with pytest.raises(BackupError, match=sentence), origin(place):
        pass


@pytest.mark.parametrize("place", ["s3://", "s3://bucket", "s3://bucket/", "http://bucket/name", "file"])
def test_a_place_that_is_none_is_named(place: str) -> None:
    with pytest.raises(BackupError, match=r"but must be - or s3://BUCKET/NAME"):
        write(place, b"")
