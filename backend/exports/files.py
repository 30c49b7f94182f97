"""Files of exports in the store, each as DIGEST.zip, so that exports with the same bytes share one file."""

import contextlib
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import IO

from exports.models import ExportJob, ExportState
from lib import stores
from lib.advisory_locks import locked

SUFFIX = ".zip"


@contextlib.contextmanager
def stored(file: Path, sha256: str) -> Iterator[None]:
    """Move the file into the store, and keep it while the block stores a job that names it.

    If the block raises, the file is deleted again unless another job names it.
    """
    with _held(sha256):
        stores.exports().take_in(_key(sha256), file)
        try:
            yield
        except BaseException:
            drop_unused([sha256])
            raise


def open_file(sha256: str) -> IO[bytes]:
    """Open a stored file; raises FileNotFoundError or StoreError."""
    return stores.exports().open(_key(sha256))


def drop_unused(digests: Iterable[str]) -> int:
    """Delete these files unless a job names them; returns the number of deleted files."""
    return sum(_drop(sha256) for sha256 in set(digests))


def written_at() -> dict[str, datetime]:
    """The time at which each stored file was written, by its digest."""
    return {entry.key.removesuffix(SUFFIX): entry.changed_at for entry in stores.exports().list()}


def _drop(sha256: str) -> bool:
    with _held(sha256):
        if ExportJob.objects.filter(file_sha256=sha256, state=ExportState.DONE).exists():
            return False
        stores.exports().delete(_key(sha256))
        return True


def _held(sha256: str) -> contextlib.AbstractContextManager[bool]:
    return locked(f"export file {sha256}")


def _key(sha256: str) -> str:
    return f"{sha256}{SUFFIX}"
