"""The files of snapshots in the store, each as DIGEST/NAME. Readers check the digest that the manifest names."""

import contextlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from analysis.models import Snapshot
from analysis.snapshots.parquet import read_columns
from eyelevel_core.contracts import sha256_of_file, sha256_of_stream
from eyelevel_store import Stored
from lib import stores
from stimuli.blobs import scratch_folder


class DamagedSnapshotError(Exception):
    """A file of a snapshot is missing, or its digest differs from the manifest."""


def put(digest: str, files: Mapping[str, bytes]) -> None:
    """Write the files that are missing or differ. Readers find them by a database row, which is written later."""
    for name, data in files.items():
        if not _holds(digest, name, data):
            stores.snapshots().put(f"{digest}/{name}", data)


def put_file(digest: str, name: str, path: Path) -> None:
    """Write one file unless it exists."""
    if stores.snapshots().find(f"{digest}/{name}") is None:
        stores.snapshots().put(f"{digest}/{name}", path)


def drop(digests: Iterable[str]) -> None:
    """Remove all files of these snapshots."""
    for digest in digests:
        for found in list(of(digest)):
            stores.snapshots().delete(found.key)


def of(digest: str) -> Iterator[Stored]:
    """Yields the stored files of a snapshot."""
    return stores.snapshots().list(f"{digest}/")


def written_at() -> dict[str, datetime]:
    """Returns the time of the newest file for each stored digest."""
    found: dict[str, list[datetime]] = defaultdict(list)
    for stored in stores.snapshots().list():
        found[stored.key.partition("/")[0]].append(stored.changed_at)
    return {digest: max(times) for digest, times in found.items()}


def is_there(snapshot: Snapshot) -> bool:
    return next(of(snapshot.sha256), None) is not None


def open_file(digest: str, name: str) -> IO[bytes]:
    """Opens a file without checking its digest. Raises FileNotFoundError."""
    return stores.snapshots().open(f"{digest}/{name}")


def sha256_of(digest: str, name: str) -> str:
    """Returns the digest of a file. Raises FileNotFoundError."""
    with open_file(digest, name) as file:
        return sha256_of_stream(file)[0]


@contextlib.contextmanager
def checked_file(snapshot: Snapshot, name: str) -> Iterator[Path]:
    """Yields a path to a file of the snapshot; raises DamagedSnapshotError if its digest differs from the manifest."""
    store, key = stores.snapshots(), f"{snapshot.sha256}/{name}"
    with contextlib.ExitStack() as ends:
        path = store.local(key)
        if path is None:
            # a temporary copy, so that none outlives an erasure
            path = ends.enter_context(scratch_folder()) / name
            with contextlib.suppress(FileNotFoundError):
                store.download(key, path)
        if not path.is_file() or sha256_of_file(path) != snapshot.manifest["files"][name]["sha256"]:
            raise DamagedSnapshotError(
                f"{store.address}/{key} is missing or damaged; delete {snapshot.sha256} there, and the next analysis "
                "writes it again."
            )
        yield path


def checked_columns(snapshot: Snapshot, name: str, *, names: Sequence[str] | None = None) -> dict[str, list[Any]]:
    """Returns the columns of a file of the snapshot; raises DamagedSnapshotError."""
    with checked_file(snapshot, name) as path:
        return read_columns(path, names=names)


def _holds(digest: str, name: str, data: bytes) -> bool:
    found = stores.snapshots().find(f"{digest}/{name}")
    if found is None or found.bytes != len(data):
        return False
    return stores.snapshots().read(found.key) == data
