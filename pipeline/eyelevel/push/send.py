"""The sender's side of the upload protocol (docs/contracts/api.md): manifest, missing blobs, commit."""

from collections.abc import Iterator
from functools import partial
from typing import Protocol, TypedDict

from eyelevel.errors import UnreachableError
from eyelevel.platform import Body, Platform, PlatformError
from eyelevel.push.read_batch import Batch, Blob

CHUNK_BYTES = 1 << 18
# The platform may lose a blob between its response and the commit, for example if another batch with it is rejected.
ROUNDS = 3
# the platform's worker checks a take or a video in a tenth of a second, but may have to finish an analysis first
ASK_AGAIN_S = 0.5
PATIENCE_S = 600.0
# after so long without a check, people are told why nothing moves
STALLED_S = 15.0


class Call(TypedDict):
    """The keywords of Platform.call that describe a body."""

    content_type: str
    size_bytes: int
    body: Body


class Watcher(Protocol):
    """Receives the progress of an upload."""

    def begin(self, total_bytes: int) -> None: ...

    def sent(self, count_bytes: int) -> None:
        """Adds sent bytes; a negative count subtracts those of a failed try."""

    def checked(self, count: int, total: int) -> None:
        """Sets the number of takes and videos that the platform has checked."""


def send(batch: Batch, platform: Platform, watcher: Watcher) -> int:
    """Sends the blobs that the platform lacks, and commits the batch; returns the number of bytes sent.

    If called again after a failure, it resumes where it stopped. Raises PlatformError if the batch is rejected.
    """
    sent_bytes = 0
    for rest in reversed(range(ROUNDS)):
        state, missing = _announce(batch, platform)
        if missing or state != "visible":
            watcher.begin(sum(blob.size_bytes for blob in missing))
        for blob in missing:
            _put(blob, batch, platform, watcher)
            sent_bytes += blob.size_bytes
        if state == "visible":
            # the platform's store had lost the missing blobs
            break
        try:
            _commit(batch, platform, watcher)
            break
        except PlatformError as error:
            if error.code != "blobs_missing" or not rest:
                raise
    return sent_bytes


def _announce(batch: Batch, platform: Platform) -> tuple[str, list[Blob]]:
    answer = platform.call("POST", "batches", **_json(batch.manifest))
    state, missing = answer.get("state"), answer.get("missing")
    if answer.get("sha256") != batch.sha256 or not isinstance(missing, list) or not isinstance(state, str):
        raise UnreachableError(f"{platform.url} responds, but not like a platform: its receipt is of another batch.")
    unknown = [digest for digest in missing if digest not in batch.blobs]
    if unknown:
        raise UnreachableError(f"{platform.url} asks for {unknown[0]}, which the manifest does not list.")
    return state, [batch.blobs[digest] for digest in missing]


def _commit(batch: Batch, platform: Platform, watcher: Watcher) -> None:
    """Ask for the commit and wait until the platform has checked all takes and videos."""
    path = f"batches/{batch.sha256}/commit"
    answer = platform.call("POST", path, **_json(b"{}"))
    before, waited_s = -1, 0.0
    while answer.get("state") != "visible":
        checked, total = answer.get("checks_done"), answer.get("checks_total")
        if not isinstance(checked, int) or not isinstance(total, int):
            raise UnreachableError(f"{platform.url} responds, but not like a platform: its receipt counts no checks.")
        watcher.checked(checked, total)
        waited_s = waited_s + ASK_AGAIN_S if checked == before else 0.0
        if waited_s == STALLED_S:
            platform.say(
                f"The platform has checked nothing for {STALLED_S:.0f} s: its worker is busy, or does not run. "
                f"Waiting for at most {PATIENCE_S / 60:.0f} minutes."
            )
        if waited_s >= PATIENCE_S:
            raise UnreachableError(
                f"{platform.url} has checked {checked} of {total} takes and videos, but none for {PATIENCE_S:.0f} s; "
                "check whether its worker runs. Nothing needs to be sent again: the platform continues with its worker."
            )
        before = checked
        platform.sleep(ASK_AGAIN_S)
        answer = platform.call("GET", path, **_json(b""))


def _put(blob: Blob, batch: Batch, platform: Platform, watcher: Watcher) -> None:
    tried = Tried(watcher)
    platform.call(
        "PUT",
        f"batches/{batch.sha256}/blobs/{blob.sha256}",
        content_type="application/octet-stream",
        size_bytes=blob.size_bytes,
        body=partial(_read, blob, tried),
    )
    tried.done(blob.size_bytes)


class Tried:
    """Counts the bytes of one blob over several tries."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher
        self._bytes = 0

    def again(self) -> None:
        self._watcher.sent(-self._bytes)
        self._bytes = 0

    def add(self, count_bytes: int) -> None:
        self._bytes += count_bytes
        self._watcher.sent(count_bytes)

    def done(self, size_bytes: int) -> None:
        """Counts the whole blob as sent, even if the platform did not read the body to its end."""
        self.add(size_bytes - self._bytes)


def _read(blob: Blob, tried: Tried) -> Iterator[bytes]:
    tried.again()
    with blob.path.open("rb") as file:
        while chunk := file.read(CHUNK_BYTES):
            yield chunk
            tried.add(len(chunk))


def _json(data: bytes) -> Call:
    return {"content_type": "application/json", "size_bytes": len(data), "body": lambda: iter([data])}
