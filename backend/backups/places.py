"""Sources and destinations of backups: standard streams, or an object of an S3-compatible store."""

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO

from boto3.s3.transfer import TransferConfig
from botocore.exceptions import BotoCoreError, ClientError

from backups.errors import BackupError, BadInputError
from eyelevel_store import StoreError
from eyelevel_store.bucket import PART_BYTES, s3_client
from eyelevel_store.open import bucket_and_key

STREAM, S3 = "-", "s3"


@contextmanager
def destination(place: str) -> Iterator[IO[bytes]]:
    """A stream to write a backup into. An object of S3 appears once the block has ended without an error."""
    if place == STREAM:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    bucket, key = _bucket_and_key(place)
    read_end, write_end = os.pipe()
    failed: list[Exception] = []
    source = _Abortable(os.fdopen(read_end, "rb"))

    def upload() -> None:
        try:
            config = TransferConfig(multipart_chunksize=PART_BYTES, multipart_threshold=PART_BYTES)
            s3_client().upload_fileobj(source, bucket, key, Config=config)
        except Exception as error:
            failed.append(error)
            source.close()

    helper = threading.Thread(target=upload)
    helper.start()
    try:
        with os.fdopen(write_end, "wb") as out:
            try:
                yield out
            except BaseException:
                # otherwise the store would keep the part as a complete backup
                source.abort()
                raise
    except BrokenPipeError:
        helper.join()
        raise _store_error(place, failed) from None
    finally:
        helper.join()
        source.close()
    if failed:
        raise _store_error(place, failed)


@contextmanager
def origin(place: str) -> Iterator[IO[bytes]]:
    """A stream to read a backup from."""
    if place == STREAM:
        yield sys.stdin.buffer
        return
    bucket, key = _bucket_and_key(place)
    try:
        body = s3_client().get_object(Bucket=bucket, Key=key)["Body"]
    except (BotoCoreError, ClientError) as error:
        message = f"{place} cannot be read: {_why(error)}. Check the name, the endpoint and the access keys."
        raise BackupError(message) from None
    with body:
        yield body


class _AbortedError(Exception):
    """The backup failed, so its upload must fail too."""


class _Abortable:
    """A stream that can be made to fail for its reader."""

    def __init__(self, source: IO[bytes]) -> None:
        self._source, self._aborted = source, False

    def abort(self) -> None:
        self._aborted = True

    def read(self, size: int = -1, /) -> bytes:
        data = self._source.read(size)
        if self._aborted:
            raise _AbortedError
        return data

    def close(self) -> None:
        self._source.close()


def _bucket_and_key(place: str) -> tuple[str, str]:
    with suppress(StoreError):
        bucket, key = bucket_and_key(place)
        if key:
            return bucket, key
    raise BadInputError(f"The place is {place!r}, but must be - or s3://BUCKET/NAME.")


def _store_error(place: str, failed: list[Exception]) -> BackupError:
    why = _why(failed[0]) if failed else "the connection was closed"
    return BackupError(f"{place} cannot be written: {why}. Nothing was stored there.")


def _why(error: Exception) -> str:
    return str(error).rstrip(".")
