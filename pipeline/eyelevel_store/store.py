"""What an object store does, whatever it is made of."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Protocol


class StoreError(Exception):
    """The store cannot be reached, or refuses: one sentence that names the store and the cure.

    `away`: it did not answer, and may later.
    """

    def __init__(self, sentence: str, *, away: bool = False) -> None:
        super().__init__(sentence)
        self.away = away


@dataclass(frozen=True)
class Stored:
    """An object; `changed_at` is when it was written, in UTC."""

    key: str
    bytes: int
    changed_at: datetime


class Store(Protocol):
    """Objects under keys such as `takes/ab12`. Methods raise StoreError, and FileNotFoundError for a missing object."""

    @property
    def address(self) -> str:
        """Where it is, as a person would give it: a folder, or s3://BUCKET/PREFIX."""

    def put(self, key: str, data: bytes | Path) -> None:
        """Write an object; an earlier one is replaced in one step. A path names a file, which stays."""

    def take_in(self, key: str, file: Path) -> None:
        """Write an object from a file, which is gone afterwards; within one disk it is moved."""

    def put_new(self, key: str, data: bytes) -> bool:
        """Write an object if there is none under this key; returns whether this call wrote it.

        A repeated call with the same bytes cannot be told from the first one, so make the bytes of each writer differ.
        """

    def read(self, key: str) -> bytes:
        """The whole object."""

    def open(self, key: str) -> IO[bytes]:
        """The object as a file with positions; parts that are not read are not sent."""

    def download(self, key: str, to: Path) -> None:
        """Copy the object into a file, which is there whole or not at all."""

    def find(self, key: str) -> Stored | None:
        """The object's size and time; None if there is none."""

    def list(self, prefix: str = "") -> Iterator[Stored]:
        """All objects whose key begins with the prefix, in the order of their keys."""

    def delete(self, key: str) -> None:
        """Delete the object, if there is one."""

    def local(self, key: str) -> Path | None:
        """Where the object lies on this machine's disk; None if the store is no folder."""
