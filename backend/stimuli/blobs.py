"""Store of files under their SHA-256 digest, in a folder or in a bucket."""

import contextlib
import hashlib
import shutil
import tempfile
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import IO, Protocol

from django.conf import settings

from lib import stores
from lib.advisory_locks import locked

CHUNK_BYTES = 1 << 20
# lock that a backup holds while it copies the files that it has listed
FILES_HELD = "blob files"
SUFFIX = ".incoming"
# length of the prefix of a digest that names the file's folder
PREFIX = 2


class IncompleteError(Exception):
    """The sender sent fewer bytes than announced."""


def name_of(sha256: str) -> str:
    return f"{sha256[:PREFIX]}/{sha256}"


class Readable(Protocol):
    """A source from which a body is streamed, e.g. a request."""

    def read(self, size: int, /) -> bytes: ...


@contextlib.contextmanager
def incoming(stream: Readable, *, length_bytes: int) -> Iterator[tuple[Path, str]]:
    """Stream a body into a temporary file; yields the file and the digest of its bytes.

    Raises IncompleteError if fewer than `length_bytes` arrive. The file is deleted afterwards unless it was kept.
    """
    folder = incoming_folder()
    folder.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256()
    received = 0
    with tempfile.NamedTemporaryFile(dir=folder, suffix=SUFFIX, delete=False) as file:
        try:
            while received < length_bytes:
                chunk = stream.read(min(CHUNK_BYTES, length_bytes - received))
                if not chunk:
                    raise IncompleteError(f"{received} of {length_bytes} bytes arrived")
                received += len(chunk)
                digest.update(chunk)
                file.write(chunk)
            file.flush()
            yield Path(file.name), digest.hexdigest()
        finally:
            Path(file.name).unlink(missing_ok=True)


def keep(file: Path, sha256: str) -> None:
    """Move an incoming file to its place, and replace an existing file, which has the same bytes."""
    stores.blobs().take_in(name_of(sha256), file)


def drop(sha256: str) -> None:
    stores.blobs().delete(name_of(sha256))


def is_stored(sha256: str) -> bool:
    return stores.blobs().find(name_of(sha256)) is not None


@contextlib.contextmanager
def files_held() -> Iterator[None]:
    """Keep all files while the block runs; files that no batch lists are deleted later."""
    with locked(FILES_HELD):
        yield


@contextlib.contextmanager
def may_drop() -> Iterator[bool]:
    """Yields whether files may be deleted; False while they are held."""
    with locked(FILES_HELD, wait=False, shared=True) as free:
        yield free


def stored() -> Iterator[tuple[str, datetime]]:
    """Yields the digest of every file in the store, and the time at which it was stored."""
    for entry in stores.blobs().list():
        folder, _, sha256 = entry.key.partition("/")
        if sha256.startswith(folder):
            yield sha256, entry.changed_at


def read(sha256: str) -> bytes:
    return stores.blobs().read(name_of(sha256))


def open_blob(sha256: str) -> IO[bytes]:
    return stores.blobs().open(name_of(sha256))


@contextlib.contextmanager
def on_disk(sha256: str) -> Iterator[Path]:
    """Yields a path that programs can read: the blob's own if the store is a folder, else a temporary copy."""
    store, name = stores.blobs(), name_of(sha256)
    place = store.local(name)
    if place is not None:
        yield place
        return
    with scratch_folder() as folder:
        store.download(name, folder / sha256)
        yield folder / sha256


@contextlib.contextmanager
def scratch_folder() -> Iterator[Path]:
    """Create a temporary folder, which is deleted when the block ends."""
    folder = incoming_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, suffix=SUFFIX) as scratch:
        yield Path(scratch)


def sweep_incoming(*, older_than_s: float) -> int:
    """Delete temporary files that killed uploads, backups and restores left; returns their number."""
    limit = time.time() - older_than_s
    folder = incoming_folder()
    left = [path for path in folder.glob(f"*{SUFFIX}") if path.stat().st_mtime < limit] if folder.is_dir() else []
    for path in left:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
    return len(left)


def incoming_folder() -> Path:
    return Path(settings.SCRATCH_DIR)
