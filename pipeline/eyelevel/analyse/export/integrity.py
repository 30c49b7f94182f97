"""Check the files of an export against its manifest.json: digest and size of each."""

import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Protocol

from eyelevel.errors import BadInputError
from eyelevel_core.contracts import ContractError, check, sha256_of_stream

MANIFEST = "manifest.json"


class Folder(Protocol):
    """The files of an export by name; `read` and `open` raise KeyError for a missing one."""

    def __contains__(self, name: str) -> bool: ...

    def read(self, name: str) -> bytes: ...

    def open(self, name: str) -> IO[bytes]: ...

    def names(self) -> Iterable[str]: ...


def check_export(export: Path) -> tuple[str, ...]:
    """Raises BadInputError, naming the file, if a file of the export is missing or differs from its manifest.

    Returns the files that the manifest does not list, except hidden ones. An old export without a manifest and a single
    CSV file, which may be from any source, are not checked.
    """
    with _files(export) as files:
        if files is None or MANIFEST not in files:
            return ()
        manifest = manifest_from(files.read(MANIFEST), export)
        for name, entry in sorted(manifest["files"].items()):
            _check(export, files, name, entry)
        known = {MANIFEST, *manifest["files"]}
        return tuple(sorted(name for name in files.names() if name not in known and not _is_hidden(name)))


def manifest_from(data: bytes, export: Path) -> dict[str, Any]:
    """Parses a manifest and checks it against its contract; raises BadInputError if it is not valid."""
    try:
        manifest: dict[str, Any] = json.loads(data)
        check(manifest, "export.1", source=MANIFEST)
    except (ValueError, ContractError) as error:
        raise BadInputError(
            f"{export}: {MANIFEST} is not a valid manifest ({error}); download the export again."
        ) from error
    return manifest


def _check(export: Path, files: Folder, name: str, expected: Mapping[str, Any]) -> None:
    if name not in files:
        raise BadInputError(f"{export}: {name} is missing, but {MANIFEST} lists it; download the export again.")
    # not held in memory: a file of votes may be larger
    with files.open(name) as file:
        digest, size = sha256_of_stream(file)
    if digest != expected["sha256"]:
        raise BadInputError(
            f"{export}: {name} was changed: its SHA-256 is {digest}, but {MANIFEST} says {expected['sha256']}. "
            "Download the export again; to analyse the changed file, give the path of this file alone."
        )
    if size != expected["bytes"]:
        raise BadInputError(
            f"{export}: {name} has {size:,} bytes, but {MANIFEST} says {expected['bytes']:,}. Download the export "
            "again."
        )


def _is_hidden(name: str) -> bool:
    """Whether operating systems or zip programs add files of this name."""
    return any(part.startswith((".", "__MACOSX")) for part in name.split("/"))


class _OnDisk:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __contains__(self, name: str) -> bool:
        return (self._folder / name).is_file()

    def read(self, name: str) -> bytes:
        return (self._folder / name).read_bytes()

    def open(self, name: str) -> IO[bytes]:
        return (self._folder / name).open("rb")

    def names(self) -> Iterable[str]:
        return (path.relative_to(self._folder).as_posix() for path in self._folder.rglob("*") if path.is_file())


class _Packed:
    """At the top of the archive, or in its only folder."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._members = set(archive.namelist())
        manifests = [name for name in self._members if name.split("/")[-1] == MANIFEST]
        self._top = min(manifests, key=len, default="").removesuffix(MANIFEST)

    def __contains__(self, name: str) -> bool:
        return self._top + name in self._members

    def read(self, name: str) -> bytes:
        return self._archive.read(self._top + name)

    def open(self, name: str) -> IO[bytes]:
        return self._archive.open(self._top + name)

    def names(self) -> Iterable[str]:
        return (
            name.removeprefix(self._top)
            for name in self._members
            if name.startswith(self._top) and not name.endswith("/")
        )


@contextmanager
def _files(export: Path) -> Iterator[Folder | None]:
    if export.is_dir():
        yield _OnDisk(export)
    elif export.is_file() and zipfile.is_zipfile(export):
        try:
            with zipfile.ZipFile(export) as archive:
                yield _Packed(archive)
        except zipfile.BadZipFile as error:
            raise BadInputError(f"{export} is a damaged zip ({error}); download the export again.") from error
    else:
        yield None
