"""The format of a backup: one tar stream that is written and read sequentially.

| entry | contents |
| --- | --- |
| `backup.json` | the header, with which a restore is compared |
| `database.dump` | `pg_dump --format=custom` |
| `blobs/SHA256` | each file of the batches |
| `snapshots/SHA256/NAME` | each file of the snapshots |
| `erasures.jsonl` | the ledger of erasures, copied last |
| `end.json` | size and digest of every entry before it; a file without it is truncated |
"""

import hashlib
import io
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import TracebackType
from typing import IO, Any, Protocol, Self

from pydantic import TypeAdapter, ValidationError

from backups.errors import BackupError, BadInputError
from backups.header import CONTRACT, FileFacts, Header
from backups.header import HEADER as HEADER_FORM

HEADER, DUMP, LEDGER, END = "backup.json", "database.dump", "erasures.jsonl", "end.json"
BLOBS, SNAPSHOTS = "blobs/", "snapshots/"
CHUNK_BYTES = 1 << 20


@dataclass(frozen=True)
class Listed:
    """The last entry, which lists every other one."""

    entries: dict[str, FileFacts]
    contract: str = CONTRACT


@dataclass(frozen=True)
class Known:
    """The field that backups have in every version of the format."""

    contract: str


LISTED, KNOWN = TypeAdapter(Listed), TypeAdapter(Known)


class Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


class _Ending(io.RawIOBase):
    """The stream of a backup, which ignores bytes once `ended`, because tarfile flushes when it is collected."""

    def __init__(self, out: IO[bytes]) -> None:
        super().__init__()
        self._out, self.ended = out, False

    def write(self, data: Any, /) -> int:
        return len(data) if self.ended else self._out.write(data)


class Writer:
    """Writes a backup into a stream; `close` completes it."""

    def __init__(self, out: IO[bytes]) -> None:
        self._out = _Ending(out)
        self._tar = tarfile.open(fileobj=self._out, mode="w|", format=tarfile.PAX_FORMAT)  # noqa: SIM115 - `close` does
        self._entries: dict[str, FileFacts] = {}

    def add(self, name: str, source: Readable, *, size: int) -> FileFacts:
        """Copy `size` bytes from `source` into an entry; raises BackupError if there are fewer."""
        digested = _Digesting(source)
        entry = tarfile.TarInfo(name)
        entry.size, entry.mode = size, 0o600
        try:
            self._tar.addfile(entry, digested)
        except OSError as error:
            if error.errno is not None or digested.bytes == size:
                # an error of the disk, such as a full one; tarfile's own has no errno
                raise
            message = f"{name} became shorter while it was copied: {digested.bytes} of {size} bytes; back up again."
            raise BackupError(message) from error
        self._entries[name] = FileFacts(digested.sha256, size)
        return self._entries[name]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self._out.ended = True

    def add_bytes(self, name: str, data: bytes) -> None:
        self.add(name, io.BytesIO(data), size=len(data))

    def close(self) -> None:
        """Write the last entry, without which the backup cannot be restored."""
        self.add_bytes(END, LISTED.dump_json(Listed(self._entries)))
        self._tar.close()


@dataclass
class Entry:
    """An entry that is being read; its digest is known once all of it is read."""

    name: str
    size: int
    source: "_Digesting"

    def read(self, size: int = CHUNK_BYTES, /) -> bytes:
        try:
            return self.source.read(size)
        except tarfile.TarError as error:
            raise BadInputError(CUT_OFF) from error

    def drain(self) -> None:
        while self.read():
            pass


@dataclass
class Reader:
    """Reads a backup from a stream: `header` first, then `entries` in their order."""

    source: Readable
    seen: dict[str, FileFacts] = field(default_factory=dict)

    def __post_init__(self) -> None:
        try:
            self._tar = tarfile.open(fileobj=self.source, mode="r|")  # type: ignore[call-overload]  # noqa: SIM115
            first = self._tar.next()
        except tarfile.TarError as error:
            raise BadInputError(NO_BACKUP) from error
        if first is None or first.name != HEADER:
            raise BadInputError(NO_BACKUP)
        self.header = header_of(self._read(first))

    def entries(self) -> Iterator[Entry]:
        """Yields each entry after the header; read it before the next one. In the end, all digests are checked.

        Raises BackupError if the file is truncated or an entry is not what was written.
        """
        try:
            while (info := self._tar.next()) is not None:
                if info.name == END:
                    self._check(self._read(info))
                    return
                with_digest = _Digesting(self._open(info))
                entry = Entry(info.name, info.size, with_digest)
                yield entry
                entry.drain()
                if with_digest.bytes != info.size:
                    raise BadInputError(CUT_OFF)
                self.seen[info.name] = FileFacts(with_digest.sha256, with_digest.bytes)
        except (tarfile.TarError, EOFError) as error:
            raise BadInputError(CUT_OFF) from error
        raise BadInputError(CUT_OFF)

    def _read(self, info: tarfile.TarInfo) -> bytes:
        data = self._open(info).read()
        self.seen[info.name] = FileFacts(hashlib.sha256(data).hexdigest(), len(data))
        return data

    def _open(self, info: tarfile.TarInfo) -> IO[bytes]:
        file: IO[bytes] | None = self._tar.extractfile(info)
        if file is None:
            raise BadInputError(f"The entry {info.name} of the backup is not a file; use another copy of the backup.")
        return file

    def _check(self, end: bytes) -> None:
        try:
            promised = LISTED.validate_json(end).entries
        except ValidationError as error:
            raise BadInputError(CUT_OFF) from error
        wrong = sorted(name for name, facts in promised.items() if self.seen.get(name) != facts)
        wrong += sorted(self.seen.keys() - promised.keys() - {END})
        if wrong:
            raise BadInputError(f"The backup is damaged: the digest of {wrong[0]} differs. Use another copy of it.")


NO_BACKUP = "This is not a backup of Eyelevel, or its first part is damaged; check the file's name."
CUT_OFF = "The backup is truncated: it was not completed, or the copy is incomplete. Use another copy of it."


class _Digesting:
    """Passes reads on, and computes size and digest of the data."""

    def __init__(self, source: Readable) -> None:
        self._source, self._digest, self.bytes = source, hashlib.sha256(), 0

    def read(self, size: int = CHUNK_BYTES, /) -> bytes:
        data = self._source.read(size)
        self._digest.update(data)
        self.bytes += len(data)
        return data

    @property
    def sha256(self) -> str:
        return self._digest.hexdigest()


def header_of(data: bytes) -> Header:
    """The header of a backup from its bytes; raises BackupError."""
    try:
        contract = KNOWN.validate_json(data).contract
    except ValidationError as error:
        raise BadInputError(NO_BACKUP) from error
    if contract != CONTRACT:
        message = f"The backup has the contract {contract}, but this version reads {CONTRACT}; upgrade Eyelevel."
        raise BackupError(message)
    try:
        return HEADER_FORM.validate_json(data)
    except ValidationError as error:
        place = ".".join(map(str, error.errors()[0]["loc"]))
        raise BadInputError(f"The backup's header is invalid at {place}; use another copy of the backup.") from None
