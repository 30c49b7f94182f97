"""Blob store: files under their SHA-256 digest, in a folder or on S3."""

import contextlib
import hashlib
import shutil
import tempfile
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from django.conf import settings
from django.core.files import File
from django.core.files.storage import default_storage

from lib.advisory_locks import locked

if TYPE_CHECKING:
    BytesFile = File[bytes]
else:
    BytesFile = File

CHUNK_BYTES = 1 << 20
# the lock of a backup, which copies the files that it has listed
FILES_HELD = "blob files"
SUFFIX = ".incoming"
# files lie in folders by the first characters of their digest
PREFIX = 2


class IncompleteError(Exception):
    """The sender stopped before the length it had announced."""


def name_of(sha256: str) -> str:
    return f"{sha256[:PREFIX]}/{sha256}"


class Readable(Protocol):
    """What a body is streamed from, e.g. a request."""

    def read(self, size: int, /) -> bytes: ...


class Incoming(BytesFile):
    """A file on its way in; Django's storage moves what tells its path instead of copying it."""

    def temporary_file_path(self) -> str:
        return str(self.name)


@contextlib.contextmanager
def incoming(stream: Readable, *, length_bytes: int) -> Iterator[tuple[Incoming, str]]:
    """Stream a body into a temporary file beside the blobs; yields the file and the digest of what came.

    Raises IncompleteError where fewer than `length_bytes` come. The file is gone afterwards unless it was kept.
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
                    raise IncompleteError(f"{received} of {length_bytes} bytes came")
                received += len(chunk)
                digest.update(chunk)
                file.write(chunk)
            file.flush()
            yield Incoming(file, name=file.name), digest.hexdigest()
        finally:
            Path(file.name).unlink(missing_ok=True)


def keep(file: Incoming, sha256: str) -> None:
    """Move an incoming file to its place; whatever lies there is replaced by the same bytes."""
    default_storage.save(name_of(sha256), file)


def drop(sha256: str) -> None:
    default_storage.delete(name_of(sha256))


@contextlib.contextmanager
def files_held() -> Iterator[None]:
    """Keep all files while the block runs: what nobody lists any more goes later."""
    with locked(FILES_HELD):
        yield


@contextlib.contextmanager
def may_drop() -> Iterator[bool]:
    """Whether files may go; False while they are held."""
    with locked(FILES_HELD, wait=False, shared=True) as free:
        yield free


def stored() -> Iterator[str]:
    """The digest of every file of the store."""
    folders, _ = default_storage.listdir("") if _has_files() else ([], [])
    for folder in folders:
        if len(folder) == PREFIX:
            yield from default_storage.listdir(folder)[1]


def stored_at(sha256: str) -> datetime:
    """When the file came."""
    return default_storage.get_modified_time(name_of(sha256))


def _has_files() -> bool:
    # S3 lists what is not there as empty
    return bool(settings.S3_BUCKET) or Path(settings.BLOB_DIR).is_dir()


def read(sha256: str) -> bytes:
    with default_storage.open(name_of(sha256)) as file:
        data: bytes = file.read()
    return data


def open_blob(sha256: str) -> BytesFile:
    return default_storage.open(name_of(sha256))


@contextlib.contextmanager
def on_disk(sha256: str) -> Iterator[Path]:
    """A path that programs can read: the blob's own where it lies in a folder, else a copy."""
    try:
        path = Path(default_storage.path(name_of(sha256)))
    except NotImplementedError:
        with tempfile.NamedTemporaryFile() as copy, open_blob(sha256) as file:
            for chunk in file.chunks():
                copy.write(chunk)
            copy.flush()
            yield Path(copy.name)
    else:
        yield path


@contextlib.contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder on the disk of the blobs, for as long as the block runs."""
    folder = incoming_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, suffix=SUFFIX) as scratch:
        yield Path(scratch)


def sweep_incoming(*, older_than_s: float) -> int:
    """Remove what killed uploads, backups and restores left; returns how many."""
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
    return Path(settings.BLOB_DIR) / "incoming"
