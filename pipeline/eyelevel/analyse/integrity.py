"""Check the files of an export against its manifest.json: digest, size and rows of each."""

import json
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from eyelevel.errors import BadInputError
from eyelevel_core.contracts import ContractError, check, sha256_of_bytes

MANIFEST = "manifest.json"


class Folder(Protocol):
    """The files of an export by name; `read` raises KeyError for a missing one."""

    def __contains__(self, name: str) -> bool: ...

    def read(self, name: str) -> bytes: ...


def check_export(export: Path) -> None:
    """Raise BadInputError, naming the file, where a file of the export is missing or differs from its manifest.

    An export without a manifest is older, and a single CSV file may be anyone's: neither is checked.
    """
    with _files(export) as files:
        if files is None or MANIFEST not in files:
            return
        try:
            manifest = json.loads(files.read(MANIFEST))
            check(manifest, "export.1", source=MANIFEST)
        except (ValueError, ContractError) as error:
            raise BadInputError(
                f"{export}: {MANIFEST} is not a valid manifest ({error}); download the export again."
            ) from error
        for name, entry in sorted(manifest["files"].items()):
            _check(export, files, name, entry["sha256"])


def _check(export: Path, files: Folder, name: str, expected: str) -> None:
    if name not in files:
        raise BadInputError(f"{export}: {name} is missing, but {MANIFEST} lists it; download the export again.")
    if (found := sha256_of_bytes(files.read(name))) != expected:
        raise BadInputError(
            f"{export}: {name} was changed: its SHA-256 is {found}, but {MANIFEST} says {expected}. "
            f"Download the export again, or give the path of the changed file alone to analyse it."
        )


class _OnDisk:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __contains__(self, name: str) -> bool:
        return (self._folder / name).is_file()

    def read(self, name: str) -> bytes:
        return (self._folder / name).read_bytes()


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
