"""The files of snapshots in the store; readers check the digest that the manifest names.

Files of one snapshot are DIGEST/NAME, and parts, which snapshots share, are STUDY/SHA256.parquet.
"""

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from analysis.models import Snapshot
from analysis.snapshots.parquet import read_columns
from eyelevel_core.contracts import sha256_of_file, sha256_of_stream
from eyelevel_store import Stored
from lib import stores
from stimuli.blobs import scratch_folder


@dataclass(frozen=True)
class _Held:
    folder: Path
    paths: dict[str, Path] = field(default_factory=dict)


_held: ContextVar[_Held | None] = ContextVar("held", default=None)


class DamagedSnapshotError(Exception):
    """A file of a snapshot is missing, or its digest differs from the manifest; `part` is the digest of a part."""

    def __init__(self, sentence: str, part: str | None = None) -> None:
        super().__init__(sentence)
        self.part = part


def put(digest: str, files: Mapping[str, bytes]) -> None:
    """Write files that are missing or differ. Readers find them through a database row, which is written later."""
    for name, data in files.items():
        if not _holds(digest, name, data):
            stores.snapshots().put(f"{digest}/{name}", data)


def put_file(folder: str, name: str, path: Path) -> None:
    """Write one file unless it exists."""
    if stores.snapshots().find(f"{folder}/{name}") is None:
        stores.snapshots().put(f"{folder}/{name}", path)


def put_part(study_sha256: str, sha256: str, path: Path) -> None:
    """Write a part, and replace a damaged one."""
    stores.snapshots().put(f"{study_sha256}/{_part(sha256)}", path)


def parts_stored(study_sha256: str) -> dict[str, int]:
    """Returns the size of each stored part of the study by its digest."""
    return {_name(stored).removesuffix(".parquet"): stored.bytes for stored in of(study_sha256)}


def drop(folders: Iterable[str]) -> None:
    """Delete all files of these snapshots, or all parts of these studies."""
    for folder in folders:
        for stored in list(of(folder)):
            stores.snapshots().delete(stored.key)


def drop_parts(study_sha256: str, parts: Iterable[str]) -> None:
    """Delete these parts of the study."""
    for sha256 in parts:
        stores.snapshots().delete(f"{study_sha256}/{_part(sha256)}")


def drop_file(folder: str, name: str) -> None:
    stores.snapshots().delete(f"{folder}/{name}")


def of(folder: str) -> Iterator[Stored]:
    """Yields the stored files of a snapshot, or the parts of a study."""
    return stores.snapshots().list(f"{folder}/")


def every() -> Iterator[tuple[str, str, Stored]]:
    """Yields folder and name of every stored file."""
    for stored in stores.snapshots().list():
        yield stored.key.partition("/")[0], _name(stored), stored


def exists(snapshot: Snapshot) -> bool:
    return next(of(snapshot.sha256), None) is not None


def open_file(folder: str, name: str) -> IO[bytes]:
    """Opens a file without checking its digest. Raises FileNotFoundError."""
    return stores.snapshots().open(f"{folder}/{name}")


def sha256_of(folder: str, name: str) -> str:
    """Returns the digest of a file. Raises FileNotFoundError."""
    with open_file(folder, name) as file:
        return sha256_of_stream(file)[0]


def names_of(snapshot: Snapshot, kind: str) -> list[str]:
    """Names of the parts of this kind, ordered by day; snapshots from before parts were introduced have one file."""
    return sorted(
        name for name in snapshot.manifest["files"] if name.partition("/")[0].removesuffix(".parquet") == kind
    )


@contextlib.contextmanager
def fetched_once() -> Iterator[None]:
    """Fetch and check each file only once in this block, even if it is read several times."""
    with scratch_folder() as folder:
        token = _held.set(_Held(folder))
        try:
            yield
        finally:
            _held.reset(token)


@contextlib.contextmanager
def checked_file(snapshot: Snapshot, name: str) -> Iterator[Path]:
    """Yields a path to a file of the snapshot; raises DamagedSnapshotError if its digest differs from the manifest."""
    with contextlib.ExitStack() as ends:
        yield _checked(snapshot, snapshot.manifest["files"], name, ends)


@contextlib.contextmanager
def checked_files(snapshot: Snapshot, kind: str) -> Iterator[list[Path]]:
    """Yields the paths of all parts of this kind; raises DamagedSnapshotError."""
    listed = snapshot.manifest["files"]
    with contextlib.ExitStack() as ends:
        yield [_checked(snapshot, listed, name, ends) for name in names_of(snapshot, kind)]


def checked_columns(snapshot: Snapshot, name: str, *, names: Sequence[str] | None = None) -> dict[str, list[Any]]:
    """Returns the columns of a file of the snapshot; raises DamagedSnapshotError."""
    with checked_file(snapshot, name) as path:
        return read_columns(path, names=names)


def _checked(
    snapshot: Snapshot, listed: Mapping[str, Mapping[str, str]], name: str, ends: contextlib.ExitStack
) -> Path:
    facts = listed[name]
    key = f"{snapshot.study_id}/{_part(facts['sha256'])}" if "/" in name else f"{snapshot.sha256}/{name}"
    held = _held.get()
    if held is not None and key in held.paths:
        return held.paths[key]
    store = stores.snapshots()
    path = store.local(key)
    if path is None:
        # a temporary copy, so that none outlives an erasure
        folder = ends.enter_context(scratch_folder()) if held is None else held.folder
        path = folder / key.replace("/", "-")
        with contextlib.suppress(FileNotFoundError):
            store.download(key, path)
    if not path.is_file() or sha256_of_file(path) != facts["sha256"]:
        raise DamagedSnapshotError(
            f"{store.address}/{key} is missing or damaged. The platform writes it again from the database; try again "
            "in a few minutes.",
            facts["sha256"] if "/" in name else None,
        )
    if held is not None:
        held.paths[key] = path
    return path


def _part(sha256: str) -> str:
    return f"{sha256}.parquet"


def _name(stored: Stored) -> str:
    return stored.key.rpartition("/")[2]


def _holds(digest: str, name: str, data: bytes) -> bool:
    stored = stores.snapshots().find(f"{digest}/{name}")
    if stored is None or stored.bytes != len(data):
        return False
    return stores.snapshots().read(stored.key) == data
