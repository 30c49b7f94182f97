"""Encryption of a backup with age (https://age-encryption.org): for a public key, or with a passphrase.

A backup for a public key is an age file. With a passphrase, a key is generated for this one file, which then consists
of a marker line, the key as an armored age file encrypted with the passphrase, and the age file.
"""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO

import pyrage

from backups.archive import Readable
from backups.errors import BackupError, BadInputError

PASSPHRASE_LINE = b"eyelevel-backup with passphrase\n"
AGE_LINE = b"age-encryption.org/v1\n"
ARMOR_END = b"-----END AGE ENCRYPTED FILE-----\n"
# an armored key has some 700 bytes
MAX_ARMOR_BYTES = 10_000


@dataclass(frozen=True)
class Lock:
    """Encryption of a backup: for a public key or with a passphrase; none if both are None."""

    recipient: str | None = None
    passphrase: str | None = None

    @property
    def is_closed(self) -> bool:
        return self.recipient is not None or self.passphrase is not None


@dataclass(frozen=True)
class Key:
    """The secret that decrypts a backup: the contents of an identity file, or a passphrase."""

    identity: str | None = None
    passphrase: str | None = None


@contextmanager
def encrypted(out: IO[bytes], lock: Lock) -> Iterator[IO[bytes]]:
    """Yields a stream whose contents are written to `out` encrypted; raises BadInputError for an invalid key."""
    if lock.passphrase is not None:
        identity = pyrage.x25519.Identity.generate()
        recipient = identity.to_public()
        out.write(PASSPHRASE_LINE + pyrage.passphrase.encrypt(str(identity).encode(), lock.passphrase, armored=True))
    elif lock.recipient is not None:
        recipient = _recipient(lock.recipient)
    else:
        yield out
        return
    read_end, write_end = os.pipe()
    with os.fdopen(read_end, "rb") as source, _Helper(lambda: pyrage.encrypt_io(source, out, [recipient])) as helper:
        try:
            with os.fdopen(write_end, "wb") as plain:
                yield plain
        except BrokenPipeError:
            helper.finish()
            raise
        helper.finish()


@contextmanager
def decrypted(source: Readable, key: Key) -> Iterator[Readable]:
    """Yields a stream of the decrypted backup; raises BadInputError if the key is missing or wrong."""
    peeked = _Peeked(source)
    start = peeked.peek(max(len(PASSPHRASE_LINE), len(AGE_LINE)))
    if start.startswith(PASSPHRASE_LINE):
        identity = _identity_behind(peeked, key)
    elif start.startswith(AGE_LINE):
        if key.identity is None:
            raise BadInputError(
                "The backup is encrypted for a public key; pass the file of its private key with --identity, or its "
                "contents in EYELEVEL_BACKUP_IDENTITY."
            )
        identity = _identity(key.identity)
    else:
        yield peeked
        return
    read_end, write_end = os.pipe()
    with os.fdopen(read_end, "rb") as pipe:
        plain = _Counting(pipe)

        def decrypt() -> None:
            with os.fdopen(write_end, "wb") as out:
                pyrage.decrypt_io(peeked, out, [identity])

        with _Helper(decrypt) as helper:
            try:
                yield plain
            except BackupError:
                # a failed decryption is the cause of a stream that ends early
                if helper.failed_with(pyrage.DecryptError):
                    raise BadInputError(WRONG_KEY if not plain.bytes else DAMAGED) from None
                raise


WRONG_KEY = "The backup cannot be decrypted: the key or passphrase is not the one that it was made with."
DAMAGED = "The backup cannot be decrypted to its end: it is truncated or damaged. Use another copy of it."


class _Helper:
    """Runs `work` in a thread while the block runs."""

    def __init__(self, work: Callable[[], None]) -> None:
        self._work = work
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> "_Helper":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        # a writer without a reader ends when the pipe is closed
        self._thread.join(timeout=0.1)

    def finish(self) -> None:
        """Wait for the work, and raise what it raised."""
        self._thread.join()
        if self._error is not None:
            raise self._error

    def failed_with(self, kind: type[BaseException]) -> bool:
        self._thread.join(timeout=10)
        return isinstance(self._error, kind)

    def _run(self) -> None:
        try:
            self._work()
        except BaseException as error:
            self._error = error


class _Peeked:
    """A stream whose beginning can be read in advance."""

    def __init__(self, source: Readable) -> None:
        self._source, self._ahead = source, b""

    def peek(self, size: int) -> bytes:
        while len(self._ahead) < size and (more := self._source.read(size - len(self._ahead))):
            self._ahead += more
        return self._ahead[:size]

    def read(self, size: int = -1, /) -> bytes:
        ahead, self._ahead = (self._ahead, b"") if size < 0 else (self._ahead[:size], self._ahead[size:])
        if size < 0:
            return ahead + self._source.read(size)
        return ahead or self._source.read(size)


class _Counting:
    def __init__(self, source: Readable) -> None:
        self._source, self.bytes = source, 0

    def read(self, size: int = -1, /) -> bytes:
        data = self._source.read(size)
        self.bytes += len(data)
        return data


def _identity_behind(peeked: _Peeked, key: Key) -> pyrage.x25519.Identity:
    if key.passphrase is None:
        raise BadInputError(
            "The backup is encrypted with a passphrase; pass it with --passphrase-file or EYELEVEL_BACKUP_PASSPHRASE."
        )
    start = peeked.peek(MAX_ARMOR_BYTES)
    end = start.find(ARMOR_END)
    if end < 0:
        raise BadInputError(DAMAGED)
    length = end + len(ARMOR_END)
    armored = peeked.peek(length)[len(PASSPHRASE_LINE) :]
    left = length
    while left:
        left -= len(peeked.read(left))
    try:
        return _identity(pyrage.passphrase.decrypt(armored, key.passphrase).decode())
    except pyrage.DecryptError:
        raise BadInputError(WRONG_KEY) from None


def _recipient(text: str) -> pyrage.x25519.Recipient:
    try:
        return pyrage.x25519.Recipient.from_str(text)
    except pyrage.RecipientError:
        raise BadInputError(
            f"{text!r} is not a public key of age; generate a key pair with `age-keygen`, and pass the public key, "
            "which begins with age1."
        ) from None


def _identity(text: str) -> pyrage.x25519.Identity:
    """The first private key of an identity file, whose other lines are comments."""
    for line in text.splitlines():
        if line.startswith("AGE-SECRET-KEY-"):
            try:
                return pyrage.x25519.Identity.from_str(line.strip())
            except pyrage.IdentityError:
                break
    raise BadInputError("The identity file has no valid private key of age; its line begins with AGE-SECRET-KEY-1.")
