"""A store in a folder, which several machines may share. A key is a path relative to the folder."""

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from eyelevel_store.keys import checked
from eyelevel_store.store import Stored

# prefix of files that are being written; keys never begin with a dot, so listings skip them
PART = ".part-"
# readable by the proxy, which may send them
MODE = 0o644


class FolderStore:
    """See `Store`. Raises OSError for errors of the disk, so that callers can report a full disk."""

    def __init__(self, root: Path) -> None:
        self._root = root

    @property
    def address(self) -> str:
        return str(self._root)

    def put(self, key: str, data: bytes | Path) -> None:
        place = self._place(key)
        with _written(place, data) as part:
            part.replace(place)
        _to_disk(place.parent)

    def take_in(self, key: str, file: Path) -> None:
        place = self._place(key)
        file.chmod(MODE)
        _to_disk(file)
        try:
            # keeps the folder non-empty until the file is written
            with _part(place):
                file.replace(place)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
            self.put(key, file)
            file.unlink()
        _to_disk(place.parent)

    def put_new(self, key: str, data: bytes) -> bool:
        place = self._place(key)
        with _written(place, data) as part:
            try:
                # fails if the name exists, also on network file systems
                place.hardlink_to(part)
            except FileExistsError:
                return place.read_bytes() == data
        _to_disk(place.parent)
        return True

    def read(self, key: str) -> bytes:
        return self._place(key).read_bytes()

    def open(self, key: str) -> IO[bytes]:
        return self._place(key).open("rb")

    def download(self, key: str, to: Path) -> None:
        part = to.with_name(f"{PART}{to.name}")
        try:
            shutil.copyfile(self._place(key), part)
            part.replace(to)
        finally:
            part.unlink(missing_ok=True)

    def find(self, key: str) -> Stored | None:
        return _stored(key, self._place(key))

    def list(self, prefix: str = "") -> Iterator[Stored]:
        folder, _, _ = prefix.rpartition("/")
        top = self._root / folder
        keys = sorted(
            str((Path(where) / name).relative_to(self._root))
            for where, _, names in os.walk(top)
            for name in names
            if not name.startswith(PART)
        )
        for key in keys:
            # deleted while listing
            if key.startswith(prefix) and (stored := _stored(key, self._root / key)) is not None:
                yield stored

    def delete(self, key: str) -> None:
        place = self._place(key)
        place.unlink(missing_ok=True)
        for folder in place.relative_to(self._root).parents[:-1]:
            # deletes the folder with its last object
            with suppress(OSError):
                (self._root / folder).rmdir()

    def local(self, key: str) -> Path | None:
        return self._place(key)

    def _place(self, key: str) -> Path:
        return self._root / checked(key)


@contextmanager
def _part(place: Path) -> Iterator[tuple[Path, IO[bytes]]]:
    """Yields a temporary file in the target's folder, which is created; deletes the file unless it was renamed."""
    while True:
        place.parent.mkdir(parents=True, exist_ok=True)
        try:
            handle, name = tempfile.mkstemp(dir=place.parent, prefix=PART)
        except FileNotFoundError:
            # another process has just deleted the folder with its last object
            continue
        break
    try:
        with os.fdopen(handle, "wb") as part:
            yield Path(name), part
    finally:
        Path(name).unlink(missing_ok=True)


@contextmanager
def _written(place: Path, data: bytes | Path) -> Iterator[Path]:
    """Yields a temporary file with these bytes, flushed to disk, in the target's folder."""
    with _part(place) as (path, part):
        if isinstance(data, Path):
            with data.open("rb") as source:
                shutil.copyfileobj(source, part)
        else:
            part.write(data)
        part.flush()
        os.fchmod(part.fileno(), MODE)
        os.fsync(part.fileno())
        yield path


def _stored(key: str, place: Path) -> Stored | None:
    try:
        status = place.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return Stored(key, status.st_size, datetime.fromtimestamp(status.st_mtime, UTC))


def _to_disk(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
