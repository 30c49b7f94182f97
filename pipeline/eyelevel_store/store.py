"""The protocol of object stores."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Protocol


class StoreError(Exception):
    """The store cannot be reached or rejects a request. The message names the store and the cure.

    `away`: it did not answer; retry later.
    """

    def __init__(self, sentence: str, *, away: bool = False) -> None:
        super().__init__(sentence)
        self.away = away


@dataclass(frozen=True)
class Stored:
    """An object in a listing; `changed_at` is the time of its last write in UTC."""

    key: str
    bytes: int
    changed_at: datetime


class Store(Protocol):
    """Objects under keys such as `takes/ab12`. Methods raise StoreError, or FileNotFoundError for a missing object."""

    @property
    def address(self) -> str:
        """The address for messages: a folder, or s3://BUCKET/PREFIX."""

    def put(self, key: str, data: bytes | Path) -> None:
        """Writes an object; replaces an earlier one atomically. A Path is copied."""

    def take_in(self, key: str, file: Path) -> None:
        """Moves a file into the store; on the same disk by renaming."""

    def put_new(self, key: str, data: bytes) -> bool:
        """Writes an object if the key does not exist; returns whether this call wrote it.

        A retry with the same bytes looks like the first call, so each writer must use different bytes.
        """

    def read(self, key: str) -> bytes:
        """Returns the whole object."""

    def open(self, key: str) -> IO[bytes]:
        """Returns a seekable file; transfers only the parts that are read."""

    def download(self, key: str, to: Path) -> None:
        """Copies the object into a file atomically."""

    def find(self, key: str) -> Stored | None:
        """Returns the object's size and time; None if the key does not exist."""

    def list(self, prefix: str = "") -> Iterator[Stored]:
        """Yields all objects whose key begins with the prefix, sorted by key."""

    def delete(self, key: str) -> None:
        """Deletes the object if it exists."""

    def local(self, key: str) -> Path | None:
        """Returns the object's path on this machine's disk; None for a bucket."""
