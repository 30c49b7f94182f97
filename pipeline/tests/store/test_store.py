"""One set of rules for all stores: a folder, and buckets of two servers with both settings of botocore's checksums."""

import io
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from s3_stores import BUCKET, CONDITIONAL, SERVERS, Server, serving

from eyelevel_store import Store, StoreError, demand_conditions, open_store
from eyelevel_store.bucket import PART_BYTES

pytestmark = pytest.mark.stores

CHECKSUMS = ("when_supported", "when_required")
BUCKETS = [f"{server} {checksums}" for server in SERVERS for checksums in CHECKSUMS]
BIG = os.urandom(1 << 20) * 3


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Server]]:
    with (
        serving("versitygw", tmp_path_factory.mktemp("v")) as one,
        serving("rclone", tmp_path_factory.mktemp("r")) as two,
    ):
        yield {one.name: one, two.name: two}


@pytest.fixture(params=["folder", *BUCKETS])
def store(
    request: pytest.FixtureRequest, servers: dict[str, Server], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Store:
    name, _, checksums = request.param.partition(" ")
    if name == "folder":
        return open_store(tmp_path / "store")
    for variable, value in servers[name].variables.items():
        monkeypatch.setenv(variable, value)
    for variable in ("AWS_REQUEST_CHECKSUM_CALCULATION", "AWS_RESPONSE_CHECKSUM_VALIDATION"):
        monkeypatch.setenv(variable, checksums)
    return open_store(f"s3://{BUCKET}/{request.node.name.replace('[', '-').replace(']', '').replace(' ', '-')}")


def test_an_object_is_kept_replaced_and_deleted(store: Store, tmp_path: Path) -> None:
    assert store.find("a/b") is None
    store.put("a/b", b"first")
    store.put("a/b", b"second, longer")
    assert store.read("a/b") == b"second, longer"
    found = store.find("a/b")
    assert found is not None
    assert (found.key, found.bytes) == ("a/b", 14)
    file = tmp_path / "given"
    file.write_bytes(BIG)
    store.put("a/c", file)
    assert file.read_bytes() == BIG
    store.download("a/c", tmp_path / "copy")
    assert (tmp_path / "copy").read_bytes() == BIG
    store.delete("a/b")
    store.delete("a/b")
    assert [entry.key for entry in store.list()] == ["a/c"]


def test_a_missing_object_is_a_missing_file(store: Store, tmp_path: Path) -> None:
    store.put("here", b"")
    with pytest.raises(FileNotFoundError):
        store.read("nowhere/x")
    with pytest.raises(FileNotFoundError):
        store.open("nowhere/x")
    with pytest.raises(FileNotFoundError):
        store.download("nowhere/x", tmp_path / "copy")
    assert list(tmp_path.glob("copy*")) == []
    assert store.read("here") == b""


def test_a_file_has_positions(store: Store) -> None:
    store.put("film", BIG)
    with store.open("film") as file:
        assert file.seek(-10, io.SEEK_END) == len(BIG) - 10
        assert file.read() == BIG[-10:]
        file.seek(1_000_000)
        assert file.read(100_000) == BIG[1_000_000:1_100_000]
        assert file.read(3) == BIG[1_100_000:1_100_003]
        file.seek(0)
        assert file.read() == BIG


def test_keys_are_listed_in_order_by_prefix(store: Store) -> None:
    keys = ["runs/a/1", "runs/a/2", "runs/b", "runs-2/x", "zz"]
    for key in reversed(keys):
        store.put(key, key.encode())
    assert [entry.key for entry in store.list()] == sorted(keys)
    assert [entry.key for entry in store.list("runs/")] == ["runs/a/1", "runs/a/2", "runs/b"]
    assert [entry.key for entry in store.list("runs/a")] == ["runs/a/1", "runs/a/2"]
    assert list(store.list("nothing/")) == []


@pytest.mark.parametrize("key", ["", "/a", "a/", "a//b", "../a", "a/../b", ".hidden", "a b", "ü", "x" * 901])
def test_a_key_that_a_store_would_change_is_refused(store: Store, key: str) -> None:
    for call in (store.read, store.find, store.delete, store.local):
        with pytest.raises(ValueError, match="key"):
            call(key)
    with pytest.raises(ValueError, match="key"):
        store.put(key, b"")


@pytest.mark.parametrize("store", ["folder", *(f"{CONDITIONAL} {checksum}" for checksum in CHECKSUMS)], indirect=True)
def test_one_of_many_writers_wins(store: Store) -> None:
    won: list[int] = []

    def write(number: int) -> None:
        if store.put_new("results/1", b"writer %d" % number):
            won.append(number)

    writers = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert len(won) == 1
    assert store.read("results/1") == b"writer %d" % won[0]
    # the winner's own call again: its answer may have been lost
    assert store.put_new("results/1", b"writer %d" % won[0])
    assert not store.put_new("results/1", b"late")
    demand_conditions(store)
    assert [entry.key for entry in store.list()] == ["results/1"]


@pytest.mark.parametrize("store", ["rclone when_required"], indirect=True)
def test_a_store_without_conditions_is_refused(store: Store) -> None:
    with pytest.raises(StoreError, match="ignores If-None-Match"):
        demand_conditions(store)
    assert list(store.list()) == []


@pytest.fixture
def versitygw(servers: dict[str, Server], monkeypatch: pytest.MonkeyPatch) -> Server:
    for variable, value in servers[CONDITIONAL].variables.items():
        monkeypatch.setenv(variable, value)
    return servers[CONDITIONAL]


def test_an_upload_that_is_killed_leaves_nothing(versitygw: Server, tmp_path: Path) -> None:
    store, file = open_store(f"s3://{BUCKET}/killed"), tmp_path / "given"
    with file.open("wb") as out:
        out.truncate(8 * PART_BYTES)
    upload = f"from eyelevel_store import open_store; open_store('{store.address}').put('film', Path('{file}'))"
    with subprocess.Popen([sys.executable, "-c", f"from pathlib import Path; {upload}"]) as process:
        while not parts(versitygw):
            assert process.poll() is None, "it ended before it was killed"
            time.sleep(0.01)
        process.kill()
    assert parts(versitygw)
    assert store.find("film") is None
    assert list(store.list()) == []


def parts(server: Server) -> list[Path]:
    """Uploaded parts of objects that are not complete."""
    return [path for path in (server.folder / "bucket" / BUCKET / ".sgwtmp").rglob("*") if path.is_file()]


def test_wrong_keys_and_buckets_are_one_sentence(versitygw: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(StoreError, match=r"^The store s3://no-such-bucket refuses .*; check the address"):
        open_store("s3://no-such-bucket").put("a", b"")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "wrong")
    with pytest.raises(StoreError, match=rf"^The store s3://{BUCKET}/p refuses .*keys\.$"):
        open_store(f"s3://{BUCKET}/p").put("a", b"")


@pytest.mark.parametrize("address", ["s3://", "s3:///a", "http://bucket/a", "s3://UPPER/a", "s3://a?b=1"])
def test_an_address_of_no_store_is_refused(address: str) -> None:
    with pytest.raises(StoreError, match="give s3://BUCKET/PREFIX or a folder"):
        open_store(address)
