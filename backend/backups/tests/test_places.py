"""A backup that goes into an object store is there whole or not at all. The store here is made of nothing but calls."""

import io
from typing import IO, Any

import pytest
from botocore.exceptions import ClientError

from backups import places
from backups.errors import BackupError
from backups.places import destination, origin


class Store:
    """The two calls that are used of a client for S3."""

    def __init__(self) -> None:
        self.objects: dict[tuple[str, str], bytes] = {}

    def upload_fileobj(self, source: Any, bucket: str, key: str, **_: Any) -> None:
        if bucket != "backups":
            raise ClientError({"Error": {"Code": "NoSuchBucket", "Message": "No such bucket."}}, "PutObject")
        whole = b"".join(iter(lambda: source.read(1000), b""))
        self.objects[bucket, key] = whole

    def get_object(self, **names: str) -> dict[str, IO[bytes]]:
        found = self.objects.get((names["Bucket"], names["Key"]))
        if found is None:
            raise ClientError({"Error": {"Code": "NoSuchKey", "Message": "No such key."}}, "GetObject")
        return {"Body": io.BytesIO(found)}


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Store:
    made = Store()
    monkeypatch.setattr(places, "_client", lambda: made)
    return made


def write(place: str, data: bytes, error: Exception | None = None) -> None:
    with destination(place) as out:
        out.write(data)
        if error is not None:
            raise error


def test_what_is_written_is_read_again(store: Store) -> None:
    data = bytes(range(256)) * 1000
    write("s3://backups/2026/one", data)
    with origin("s3://backups/2026/one") as source:
        assert source.read() == data


def test_a_backup_that_fails_leaves_no_object(store: Store) -> None:
    with pytest.raises(BackupError, match="no room"):
        write("s3://backups/one", b"x" * 100_000, BackupError("no room"))
    assert store.objects == {}


def test_a_store_that_fails_is_named(store: Store) -> None:
    with pytest.raises(BackupError, match=r"^s3://elsewhere/one cannot be written: .*No such bucket. Nothing was"):
        write("s3://elsewhere/one", b"x" * 1_000_000)
    sentence = r"^s3://backups/none cannot be read: .*No such key. Check the name"
    with pytest.raises(BackupError, match=sentence), origin("s3://backups/none"):
        pass


@pytest.mark.parametrize("place", ["s3://", "s3://bucket", "s3://bucket/", "http://bucket/name", "file"])
def test_a_place_that_is_none_is_named(place: str) -> None:
    with pytest.raises(BackupError, match=r"is neither - nor s3://BUCKET/NAME"):
        write(place, b"")
