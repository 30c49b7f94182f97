"""A store in a bucket of Amazon S3 or of an S3-compatible service."""

import io
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

import boto3
from boto3.exceptions import Boto3Error
from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError, HTTPClientError
from botocore.exceptions import ConnectionError as NotConnectedError

from eyelevel_store.keys import checked
from eyelevel_store.store import Stored, StoreError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

# an object has at most 10,000 parts
PART_BYTES = 64 << 20
PAUSES_S = (0.5, 1.0, 2.0, 4.0, 8.0)
MISSING = {"404", "NoSuchKey", "NotFound"}
TAKEN = {"412", "PreconditionFailed"}
# two simultaneous conditional writes; one must be retried
CONFLICT = {"409", "ConditionalRequestConflict"}
BUSY = {"SlowDown", "InternalError", "ServiceUnavailable", "RequestTimeout", "500", "502", "503", "504"}

T = TypeVar("T")


def s3_client() -> Any:
    """A boto3 client that reads keys and endpoint from the usual AWS variables."""
    retries = {"mode": "standard", "total_max_attempts": 3}
    # the default session is not thread-safe
    return boto3.Session().client("s3", config=Config(retries=retries, connect_timeout=10, read_timeout=60))


class BucketStore:
    """See `Store`. All threads share one client."""

    def __init__(
        self, bucket: str, prefix: str = "", *, patience_s: float = 0, waits: Callable[[str], None] = lambda _: None
    ) -> None:
        self._bucket = bucket
        self._prefix = f"{prefix}/" if prefix else ""
        self._patience_s, self._waits = patience_s, waits
        self._s3: Any = None

    @property
    def address(self) -> str:
        return f"s3://{self._bucket}/{self._prefix}".rstrip("/")

    def put(self, key: str, data: bytes | Path) -> None:
        where = self._where(key)
        if isinstance(data, Path):
            config = TransferConfig(multipart_chunksize=PART_BYTES, multipart_threshold=PART_BYTES)
            self._try(lambda s3: s3.upload_file(str(data), where["Bucket"], where["Key"], Config=config))
        else:
            self._try(lambda s3: s3.put_object(**where, Body=data))

    def take_in(self, key: str, file: Path) -> None:
        self.put(key, file)
        file.unlink()

    def put_new(self, key: str, data: bytes) -> bool:
        where = self._where(key)

        def put(s3: Any) -> bool:
            while True:
                try:
                    s3.put_object(**where, Body=data, IfNoneMatch="*")
                except ClientError as error:
                    if _code(error) in CONFLICT:
                        time.sleep(PAUSES_S[0])
                        continue
                    if _code(error) not in TAKEN:
                        raise
                    # an earlier attempt may have succeeded although its response was lost
                    return bool(s3.get_object(**where)["Body"].read() == data)
                return True

        return self._try(put)

    def read(self, key: str) -> bytes:
        where = self._where(key)

        def get(s3: Any) -> bytes:
            with closing(s3.get_object(**where)["Body"]) as body:
                data: bytes = body.read()
            return data

        return self._try(get)

    def open(self, key: str) -> IO[bytes]:
        stored = self.find(key)
        if stored is None:
            raise self._missing(key)
        return io.BufferedReader(_Ranges(partial(self._stream, key), stored.bytes), buffer_size=1 << 16)

    def download(self, key: str, to: Path) -> None:
        # writes a temporary file, then renames it
        where = self._where(key)
        self._try(lambda s3: s3.download_file(where["Bucket"], where["Key"], str(to)))

    def find(self, key: str) -> Stored | None:
        where = self._where(key)
        try:
            head = self._try(lambda s3: s3.head_object(**where))
        except FileNotFoundError:
            return None
        return Stored(key, head["ContentLength"], head["LastModified"])

    def list(self, prefix: str = "") -> Iterator[Stored]:
        asked = {"Bucket": self._bucket, "Prefix": self._prefix + prefix}
        more: dict[str, str] = {}
        while True:
            page = self._try(partial(_page, {**asked, **more}))
            for entry in page.get("Contents", ()):
                yield Stored(entry["Key"].removeprefix(self._prefix), entry["Size"], entry["LastModified"])
            if not page.get("IsTruncated"):
                return
            more = {"ContinuationToken": page["NextContinuationToken"]}

    def delete(self, key: str) -> None:
        where = self._where(key)
        # Amazon returns this for a missing object; other services return 404
        with suppress(FileNotFoundError):
            self._try(lambda s3: s3.delete_object(**where))

    def local(self, key: str) -> Path | None:
        checked(key)
        return None

    def _stream(self, key: str, first: int) -> IO[bytes]:
        """Returns the object's bytes from this offset."""
        where = self._where(key)
        body: IO[bytes] = self._try(lambda s3: s3.get_object(**where, Range=f"bytes={first}-"))["Body"]
        return body

    def _where(self, key: str) -> dict[str, str]:
        return {"Bucket": self._bucket, "Key": self._prefix + checked(key)}

    def _missing(self, key: str) -> FileNotFoundError:
        return FileNotFoundError(2, "No such object", f"{self.address}/{key}")

    def _client(self) -> Any:
        if self._s3 is None:
            self._s3 = s3_client()
        return self._s3

    def _try(self, call: Callable[[Any], T]) -> T:
        """Returns the call's result; retries while the store does not answer, for at most `patience_s`."""
        until, announced = time.monotonic() + self._patience_s, False
        pauses = iter(PAUSES_S)
        while True:
            try:
                return call(self._client())
            except (ClientError, BotoCoreError, Boto3Error) as error:
                cause = _cause(error)
                if isinstance(cause, ClientError) and _code(cause) in MISSING:
                    raise FileNotFoundError(2, "No such object", self.address) from None
                away = _is_away(cause)
                if not away or time.monotonic() >= until:
                    raise StoreError(_sentence(self.address, cause, away=away), away=away) from error
            if not announced:
                self._waits(f"{self.address} does not answer; trying again for up to {self._patience_s / 60:.0f} min.")
                announced = True
            time.sleep(next(pauses, PAUSES_S[-1]))


class _Ranges(io.RawIOBase):
    """A seekable file over an object: each seek starts a new range request at the new position."""

    def __init__(self, stream: Callable[[int], IO[bytes]], size: int) -> None:
        self._open, self._size = stream, size
        self._at = 0
        self._body: IO[bytes] | None = None

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        to = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence] + offset
        if to != self._at:
            self._end()
            self._at = to
        return to

    def readinto(self, buffer: "WriteableBuffer") -> int:
        view = memoryview(buffer)
        wanted = min(len(view), max(self._size - self._at, 0))
        if wanted == 0:
            return 0
        if self._body is None:
            self._body = self._open(self._at)
        data = self._body.read(wanted)
        view[: len(data)] = data
        self._at += len(data)
        return len(data)

    def close(self) -> None:
        self._end()
        super().close()

    def _end(self) -> None:
        if self._body is not None:
            self._body.close()
            self._body = None


def _page(asked: dict[str, str], s3: Any) -> Any:
    return s3.list_objects_v2(**asked)


def _code(error: ClientError) -> str:
    return str(error.response.get("Error", {}).get("Code", ""))


def _cause(error: Exception) -> Exception:
    """Returns the store's error, which boto3 wraps in an error of the transfer."""
    below = error.__context__ if isinstance(error, Boto3Error) else None
    return below if isinstance(below, (ClientError, BotoCoreError)) else error


def _is_away(error: Exception) -> bool:
    if isinstance(error, ClientError):
        return _code(error) in BUSY
    return isinstance(error, (HTTPClientError, NotConnectedError))


def _sentence(address: str, error: Exception, *, away: bool) -> str:
    why = " ".join(str(error).split()).rstrip(".")
    cure = "try again later" if away else "check the address, AWS_ENDPOINT_URL and the keys"
    return f"The store {address} {'does not answer' if away else 'refuses'} ({why}); {cure}."
