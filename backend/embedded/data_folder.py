"""The data folder of an embedded platform: paths, lock and secrets."""

import contextlib
import fcntl
import hashlib
import json
import os
import secrets
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from embedded.processes import ServerError
from embedded.servers import POSTGRES_SOCKET, SOCKET_PATH_BYTES
from embedded.supervisor import Doing

REPOSITORY = Path(__file__).resolve().parents[2]
BUCKET = "s3://"


@dataclass(frozen=True)
class Running:
    """The platform that has locked a data folder."""

    url: str
    pid: int


@dataclass(frozen=True)
class Layout:
    """Paths below the data folder."""

    folder: Path

    @property
    def postgres(self) -> Path:
        return self.folder / "postgres"  # its file PG_VERSION records the major version that made it

    @property
    def valkey(self) -> Path:
        return self.folder / "valkey"

    @property
    def blobs(self) -> Path:
        return self.folder / "blobs"

    @property
    def snapshots(self) -> Path:
        return self.folder / "snapshots"

    @property
    def exports(self) -> Path:
        return self.folder / "exports"

    @property
    def erasures(self) -> Path:
        return self.folder / "erasures"

    @property
    def incoming(self) -> Path:
        return self.folder / "incoming"

    @property
    def stores(self) -> tuple[Path, ...]:
        """Folders that services use in place of a bucket; the names are those of config.settings."""
        return (self.blobs, self.snapshots, self.exports, self.erasures, self.incoming)

    @property
    def logs(self) -> Path:
        return self.folder / "logs"

    @property
    def beat(self) -> Path:
        return self.folder / "beat"

    @property
    def running(self) -> Path:
        return self.folder / "running.json"

    @property
    def services(self) -> Path:
        return self.folder / "services.json"  # the state of each service, written by the supervisor

    @property
    def bucket(self) -> Path:
        return self.folder / "bucket"  # the address of the bucket that has the files, if a bucket has them

    def keep_store(self, wanted: str) -> None:
        """Note the bucket that has this platform's files, or the folder itself if `wanted` names no bucket.

        Raises ServerError if the files are already in another place.
        """
        noted = self.bucket.read_text() if self.bucket.exists() else ""
        if not noted and self.blobs.is_dir() and any(self.blobs.iterdir()):
            noted = str(self.folder)
        if noted and noted != self.store(wanted):
            cure = f"set EYELEVEL_STORE={noted}" if noted.startswith(BUCKET) else "unset EYELEVEL_STORE"
            raise ServerError(f"The files of the platform in {self.folder} are in {noted}; {cure}.")
        if wanted.startswith(BUCKET):
            self.bucket.write_text(self.store(wanted))

    def store(self, wanted: str) -> str:
        """Where files are kept: in the bucket that `wanted` names, else in the data folder."""
        return wanted.rstrip("/") if wanted.startswith(BUCKET) else str(self.folder)

    @property
    def sockets(self) -> Path:
        """Folder of the sockets: below the data folder if the path is short enough, else in the temporary folder."""
        inside = self.folder / "run"
        if len(os.fsencode(inside / POSTGRES_SOCKET)) <= SOCKET_PATH_BYTES - 8:
            return inside
        short = hashlib.sha256(os.fsencode(self.folder)).hexdigest()[:12]
        return Path(tempfile.gettempdir()) / f"eyelevel-{short}"

    def secret(self, name: str, *, length_bytes: int = 48) -> str:
        """A random secret that is generated once and stored, readable only by the owner of the data folder."""
        path = self.folder / "secrets" / name
        if not path.exists():
            self.keep_secret(name, secrets.token_urlsafe(length_bytes))
        return path.read_text()

    def keep_secret(self, name: str, value: str) -> None:
        path = self.folder / "secrets" / name
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(value)

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Lock the data folder; raises ServerError, which names the running platform, if another process has it."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "lock").open("a") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ServerError(self._who_holds()) from None
            yield

    def note_running(self, running: Running) -> None:
        _write(self.running, asdict(running))

    def note_services(self, services: Sequence[Doing]) -> None:
        """Write the state of services for the health page and `eyelevel status`; ignores a full disk."""
        with contextlib.suppress(OSError):
            _write(self.services, [asdict(each) for each in services])

    def who_runs(self) -> Running | None:
        """The platform that has locked the folder; None if it has not written yet who it is."""
        try:
            return Running(**json.loads(self.running.read_text()))
        except (FileNotFoundError, json.JSONDecodeError):
            return None

    def _who_holds(self) -> str:
        running = self.who_runs()
        at = f" at {running.url} (process {running.pid})" if running else ""
        return (
            f"A platform with the data folder {self.folder} is already running{at}; "
            "stop it first, or choose another folder with --data."
        )


def _write(path: Path, value: Any) -> None:
    draft = path.with_suffix(".new")
    draft.write_text(json.dumps(value))
    draft.replace(path)
