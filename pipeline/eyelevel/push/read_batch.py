"""Reads a batch folder for an upload and checks it completely before anything is sent."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from eyelevel.errors import BadInputError
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.batch_rules import check_takes, parse_manifest
from eyelevel_core.contracts import sha256_of_bytes, sha256_of_file
from eyelevel_core.model.batch import Manifest
from eyelevel_core.model.take import FileEntry


@dataclass(frozen=True)
class Blob:
    """A file of the batch under its digest."""

    sha256: str
    path: Path
    size_bytes: int


@dataclass(frozen=True)
class Batch:
    """A valid manifest, and its files, which match their entries."""

    sha256: str
    manifest: bytes
    described: Manifest
    blobs: Mapping[str, Blob]


def read_batch(folder: Path) -> Batch:
    """Reads a batch and checks it by all rules of the platform; raises BadInputError or ContractError."""
    path = BatchFolder(folder).manifest_file
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadInputError(
            f"{path} cannot be read ({error.strerror}); give the folder of a finished batch."
        ) from error
    manifest = parse_manifest(data)
    blobs = {listed.sha256: _blob(folder, name, listed, path) for name, listed in manifest.files.items()}
    for _ in check_takes(manifest, lambda name: (folder / name).read_bytes()):
        pass
    return Batch(
        sha256=sha256_of_bytes(data),
        manifest=data,
        described=manifest,
        blobs=blobs,
    )


def _blob(folder: Path, name: str, listed: FileEntry, source: Path) -> Blob:
    path = folder / name
    if not path.is_file():
        raise BadInputError(f"{path} is missing, but {source.name} lists it; build the batch again.")
    if not path.resolve().is_relative_to(folder.resolve()):
        raise BadInputError(f"{path} is a link to a place outside the folder; replace it by the file itself.")
    size_bytes = path.stat().st_size
    if size_bytes != listed.bytes:
        raise BadInputError(
            f"{path} has {size_bytes} bytes, but {source.name} says {listed.bytes}; build the batch again."
        )
    if (digest := sha256_of_file(path)) != listed.sha256:
        raise BadInputError(
            f"{path} has the digest {digest}, but {source.name} says {listed.sha256}; build the batch again."
        )
    return Blob(listed.sha256, path, size_bytes)
